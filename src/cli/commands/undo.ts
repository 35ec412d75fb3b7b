import type {Command} from 'commander';
import {isLost} from '../../control/send.ts';
import {exitCodes, Failure} from '../../lib/failure.ts';
import {shortOid} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {offerText, type UndoOffer} from '../../rules/undo-offer.ts';
import {printWaitsWhile} from '../follow-session.ts';
import {findHere, type Here, readLastSession, requireSound} from '../here.ts';
import {print, printAs} from '../output.ts';
import {isAtTerminal, saysYes} from '../questions.ts';
import {askSupervisor, requirePerson} from '../reach-supervisor.ts';

type Options = {redo?: true; yes?: boolean; json?: boolean};

export const addUndo = (program: Command): void => {
	program
		.command('undo')
		.description('take the newest merge back; with none left: bring back the one taken back last')
		.option('--redo', 'bring back the merge taken back last, even if others are left')
		.option('--yes', 'do it without asking')
		.option('--json', 'as JSON')
		.action(async (options: Options) => {
			const here = await findHere();
			requirePerson(here);
			const last = await readLastSession(here);
			requireSound(here, last);
			if (!options.json && last?.state.session?.plan.verify.length) {
				print('The plan’s check runs on the outcome …');
			}

			const offer = await ask<UndoOffer>(here, 'offer', defined({redo: options.redo}));
			if (!options.json) {
				print(offerText(offer).join('\n'));
			}

			if (!(options.yes || (await agrees(offer, options)))) {
				printUndone(offer, options);
				return;
			}

			const {turn, merge, from, gitSettings} = offer;
			const settings = defined({settings: gitSettings?.digest});
			const done = await ask<UndoOffer>(here, 'done', {agreed: {turn, merge, from, ...settings}});
			printAs(options, {ok: true, ...done}, doneText(done));
		});
};

/** Asks the supervisor, which has this version, or it would not have been asked; so the shape of its answer is known. */
const ask = async <Answer>(
	here: Here,
	field: 'offer' | 'done',
	words: {
		readonly redo?: true;
		readonly agreed?: Pick<UndoOffer, 'turn' | 'merge' | 'from'> & {readonly settings?: string};
	},
): Promise<Answer> => {
	const asked = {do: 'undo', ...words} as const;
	const asking = askSupervisor(here, asked).catch((error: unknown) => {
		// A supervisor ends soon after an undo, perhaps just now; an offer changes nothing, so the next one is asked.
		if (words.agreed === undefined && isLost(error)) {
			return askSupervisor(here, asked);
		}

		throw error;
	});
	const answer = await printWaitsWhile(here, asking);
	if (typeof answer === 'object' && answer !== null && field in answer) {
		return Reflect.get(answer, field);
	}

	throw new Failure('internal', 'The supervisor gave an empty answer.');
};

const agrees = async ({turn}: UndoOffer, {json}: Options): Promise<boolean> => {
	if (json || !isAtTerminal()) {
		return false;
	}

	return saysYes(turn === 'undo' ? 'Take it back?' : 'Bring it back?');
};

const printUndone = (offer: UndoOffer, options: Options): void => {
	const way = isAtTerminal()
		? ''
		: ` To do it: delegate-tui undo${options.redo ? ' --redo' : ''} --yes`;
	printAs(options, {ok: false, ...offer}, `Nothing was done.${way}`);
	process.exitCode = exitCodes.refused;
};

const doneText = ({turn, how, target, to}: UndoOffer): string =>
	`${turn === 'undo' ? 'Taken back' : 'Brought back'}: ${target} is at ${shortOid(to ?? '')}${how === 'commit' ? ', a new commit' : ''}. To reverse this: delegate-tui undo${turn === 'undo' ? ' --redo' : ''}`;
