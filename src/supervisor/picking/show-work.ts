import {defined} from '../../lib/defined.ts';
import {Failure} from '../../lib/failure.ts';
import {printWork} from '../../rules/picking/work-lines.ts';
import type {State} from '../../state/state.ts';
import {kept} from '../show/kept.ts';
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
	return {text: await kept(store, `parts ${base} ${commit}`, () => textOf(store, base, commit))};
};

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
