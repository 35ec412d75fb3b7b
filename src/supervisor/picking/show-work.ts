import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {printWork} from '../../rules/picking/work-lines.ts';
import type {State} from '../../state/state.ts';
import type {Shown} from '../show/show.ts';
import type {Works} from '../world.ts';
import {type FilePieces, readPieces} from './pieces.ts';
import {inputOf} from './select-work.ts';

/** Returns an agent's work in parts that can be picked, as `printWork` prints it. */
export const showWork = async ({store}: Works, state: State, id: string): Promise<Shown> => {
	const input = inputOf(state, id);
	if (input === undefined) {
		throw new Failure('refused', `There is no work of ${id} to pick from.`);
	}

	const {base, commit} = input;
	const last = lastShown.get(store);
	const shown =
		last?.base === base && last.commit === commit
			? last
			: {base, commit, text: textOf(store, base, commit)};
	lastShown.set(store, shown);
	try {
		return {text: await shown.text};
	} catch (error) {
		lastShown.delete(store);
		throw error;
	}
};

/** It is asked for page by page, and is the same each time. */
const lastShown = new WeakMap<
	Works['store'],
	{readonly base: string; readonly commit: string; readonly text: Promise<string>}
>();

const textOf = async (store: Works['store'], base: string, commit: string): Promise<string> => {
	const files = await readPieces(store, base, commit);
	return printWork({work: commit, files: files.map(shownFile)});
};

const shownFile = ({path, whole, hunks}: FilePieces) => ({
	path,
	...defined({whole}),
	hunks: hunks.map(({line, section, lines}) => ({
		line,
		section: asText(section),
		lines: lines.map(text => asText(text.replace(/\n$/, ''))),
	})),
});

const asText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
