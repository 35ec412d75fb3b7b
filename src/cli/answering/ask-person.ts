import {itemText} from '../../client/texts/item-text.ts';
import {Failure, failureText} from '../../lib/failure.ts';
import {whyGone} from '../../rules/commands/why-not.ts';
import {inbox} from '../../rules/inbox.ts';
import {openInGroup} from '../../state/items/question/group.ts';
import {itemOf} from '../../state/select.ts';
import {type Here, type LastSession, requireActiveSession} from '../here.ts';
import {columnsHere, print, printJson} from '../output.ts';
import {type Questions, withQuestions} from '../questions.ts';
import {answerGroup} from './answer-group.ts';
import {type DecideOptions, decide} from './decide.ts';
import {explainRefusal} from './explain-refusal.ts';

/**
Lists what waits, and in a terminal asks for a decision; what an agent asked at once is asked in a row.

@param named the one item that it is about, for a person who was told of it
*/
export const askPerson = async (
	here: Here,
	session: LastSession,
	options: DecideOptions,
	named?: string,
): Promise<void> => {
	const items = inbox(session.state).filter(({id}) => named === undefined || id === named);
	if (options.json) {
		printJson({items});
		return;
	}

	if (items.length === 0) {
		if (named !== undefined) {
			throw await whyNotThere(session, named);
		}

		print('Nothing waits for you.');
		return;
	}

	print(items.map(item => itemText(item, here.folder.store, columnsHere())).join('\n\n'));
	if (!process.stdin.isTTY) {
		return;
	}

	await withQuestions('Nothing was decided.', async questions => {
		const id = named ?? (await askItem(questions, items[0]?.id ?? ''));
		await untilGranted(here, id, questions, () => ask(here, session, questions, id, options));
	});
};

const whyNotThere = (session: LastSession, id: string): Promise<unknown> =>
	explainRefusal(
		session,
		id,
		new Failure('refused', whyGone(session.state, id), {
			hint: 'delegate-tui inbox lists what waits for you',
		}),
	);

const askItem = async ({ask}: Questions, first: string): Promise<string> =>
	(await ask(`\nItem [${first}]: `)) || first;

const ask = async (
	here: Here,
	session: LastSession,
	questions: Questions,
	id: string,
	options: DecideOptions,
): Promise<void> => {
	const item = itemOf(session.state, id);
	const group = item?.kind === 'question' ? openInGroup(session.state, item) : [];
	if (group.length > 1) {
		await answerGroup(here, group, questions.ask);
		return;
	}

	const choice = await questions.ask('Your choice: ');
	await decide(here, session, id, choice, options);
};

/** Tries again for as long as the item waits; why it was refused is printed. */
const untilGranted = async (
	here: Here,
	item: string,
	{isOver}: Questions,
	attempt: () => Promise<void>,
): Promise<void> => {
	for (let isGranted = false; !isGranted; ) {
		isGranted = await attempt().then(
			() => true,
			async error => {
				if (isOver()) {
					throw error;
				}

				print(await refusalOf(here, item, error));
				return false;
			},
		);
	}
};

/** Returns why a choice was refused of an item that still waits, so that the person can take another; anything else ends the command. */
const refusalOf = async (here: Here, item: string, error: unknown): Promise<string> => {
	const {state} = await requireActiveSession(here);
	if (itemOf(state, item) === undefined) {
		throw error;
	}

	return failureText(error);
};
