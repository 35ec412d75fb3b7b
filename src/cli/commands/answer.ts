import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {inbox} from '../../rules/inbox.ts';
import {askPerson} from '../answering/ask-person.ts';
import {type DecideOptions, decide} from '../answering/decide.ts';
import {previewAnswer} from '../conflicts/preview-answer.ts';
import {findHere, type LastSession, requireActiveSession} from '../here.ts';
import {addedBy, previewSubtask} from '../plan/preview-subtask.ts';
import {requirePerson, takeTokenFrom} from '../reach-supervisor.ts';

type Options = DecideOptions & {
	readonly preview?: boolean;
	readonly verify?: boolean;
	readonly tokenFile?: string;
};

/** `answer`: decide an item of the inbox. */
export const addAnswer = (program: Command): void => {
	program
		.command('answer [item] [choice...]')
		.description('decide an inbox item; without a choice: show it, or list all, and ask')
		.option('--note <text>', 'what the agent is told with the decision')
		.option(
			'--file <file>',
			'the plan that replaces the proposed one, a patch with the part of its work that is taken, the subtask of a new agent, or a note from a file',
		)
		.option('--agent <profile>', 'of a retry: the profile of the config that it is from now on')
		.option('--same', 'answer every agent that asks the same question')
		.option(
			'--preview',
			'only show what a choice about a conflict or a set-back comes to, or the subtask of the agent that it adds',
		)
		.option('--verify', 'with --preview: run the check on it first')
		.option('--token-file <file>', 'holds the token by which a script decides for you')
		.option('--json', 'as JSON')
		.action(async (item: string | undefined, words: string[], options: Options) => {
			if (options.tokenFile !== undefined) {
				takeTokenFrom(options.tokenFile);
			}

			const here = await findHere();
			if (item !== undefined) {
				requirePerson(here);
			}

			const session = await requireActiveSession(here);
			const isAsked =
				words.length === 0 && !options.preview && !options.json && process.stdin.isTTY;
			if (item === undefined || isAsked) {
				await askPerson(here, session, options, item);
				return;
			}

			if (words.length === 0) {
				throw new Failure('usage', `A choice for ${item} is missing.`, {
					hint: hintFor(session, item),
				});
			}

			const choice = words.join(' ');
			if (options.verify && !options.preview) {
				throw new Failure(
					'usage',
					'--verify goes with --preview; a choice that is taken is checked anyway.',
				);
			}

			if (options.preview && addedBy(session.state, item, choice)) {
				previewSubtask(session, item, choice, options.note);
				return;
			}

			await (options.preview
				? previewAnswer(here, session, {item, choice, ...previewOptions(options)})
				: decide(here, session, item, choice, options));
		});
};

const previewOptions = ({json = false, verify = false}: Options) => ({json, verify});

const hintFor = ({state}: LastSession, id: string): string => {
	const item = inbox(state).find(item => item.id === id);
	return item === undefined
		? 'delegate-tui inbox lists what waits for you'
		: `take one of: ${item.choices.map(({choice}) => choice).join(', ')}${item.free ? ', or an answer of your own' : ''}`;
};
