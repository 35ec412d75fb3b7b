import {join} from 'node:path';
import {startTextTurn, type TextTurnOptions} from '../../src/agents/text-turn.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {temporaryFolder} from '../helpers/repository.ts';

/** Starts an agent that prints, in a folder of its own. */
export const startPrinting = async (
	command: readonly string[],
	options: Partial<TextTurnOptions> = {},
) => {
	const folder = temporaryFolder();
	const transcript = join(folder, 'transcript.txt');
	const turn = await startTextTurn({
		...{command, directory: folder, transcript},
		environment: {PATH: process.env.PATH ?? '', TEST_TEXT: folder},
		mark: `TEST_TEXT=${folder}`,
		containment: groupsContainment('for a test'),
		...{prompt: 'go\n', keepInput: false, expect: [], onSignal: () => {}},
		...options,
	});
	return {turn, folder, transcript};
};
