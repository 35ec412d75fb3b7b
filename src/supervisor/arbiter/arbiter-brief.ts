import {oneLine} from '../../agents/turn.ts';
import type {Agent} from '../../state/agent/agent.ts';
import type {ItemOf} from '../../state/item.ts';
import {isBreakage} from '../../state/items/conflict/breakage.ts';
import {agentOf, itemOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {showSide, sideAt} from '../show/show-side.ts';
import type {Works} from '../world.ts';

/** Returns the brief of an agent that resolves a conflict: the conflict, and the goal, messages and changes of each side; `undefined` for any other agent. */
export const arbiterBrief = async (
	works: Works,
	state: State,
	{arbitrates}: Agent,
): Promise<string | undefined> => {
	const item = arbitrates === undefined ? undefined : itemOf(state, arbitrates);
	if (item?.kind !== 'conflict') {
		return undefined;
	}

	const sides = (['a', 'b'] as const).map(side => sideBrief(works, state, item, side));
	return [whatCollides(item), ...(await Promise.all(sides))].join('\n\n');
};

/** Returns the brief of an agent that must redo its changes on others' work: the goals, messages and changes of both, as far as they collide; `undefined` if nothing collides. */
export const redoBrief = async (
	works: Works,
	state: State,
	{id, workspace, replies}: Agent,
): Promise<string | undefined> => {
	const isToRedo = replies.some(({heading}) => heading === 'MERGE CONFLICT');
	if (!isToRedo || workspace.phase !== 'ready' || workspace.conflicts.length === 0) {
		return undefined;
	}

	const {onto, conflicts} = workspace;
	const sides = [onto.length === 0 ? ['target'] : onto, [id]].map(async names =>
		workBrief(state, names, await sideAt(works, state, names, conflicts)),
	);
	return (await Promise.all(sides)).join('\n\n');
};

const whatCollides = (item: ItemOf<'conflict'>): string =>
	[
		'THE CONFLICT',
		`- What: ${oneLine(item.summary)}`,
		...(isBreakage(item) && item.confirmed !== undefined
			? [`- ${oneLine(item.confirmed.by)} says: ${oneLine(item.confirmed.text)}`]
			: []),
		isBreakage(item)
			? '- Your directory holds both works as git merged them; they break each other all the same.'
			: `- Your directory holds both works, and ${oneLine(item.path)} as git left it, with conflict markers where it is text; none may remain.`,
		'- You take no side: keep what each of them meant, where both can be kept.',
		'- What you write is a proposal. It is compared and checked again, and a person takes it, sends it back to you or drops it.',
		'- Say in a SUMMARY what you kept, what you gave up, and why.',
	].join('\n');

const sideBrief = async (
	works: Works,
	state: State,
	item: ItemOf<'conflict'>,
	side: 'a' | 'b',
): Promise<string> => {
	const {text} = await showSide(works, state, item, side);
	return workBrief(state, item[side], text);
};

const workBrief = (state: State, names: readonly string[], diff: string): string =>
	[
		`WHAT ${names.join(' AND ')} WANTED`,
		...names.flatMap(name => intentOf(state, name)),
		'and changed there:',
		diff.length <= longestDiff
			? diff.trimEnd()
			: `${diff.slice(0, longestDiff)}\n(cut here; the rest is ${diff.length - longestDiff} characters)`,
	].join('\n');

/** In characters; an agent can read the rest in the files. */
const longestDiff = 40_000;

const intentOf = (state: State, name: string): readonly string[] => {
	if (name === 'target') {
		return [`- ${state.session?.target ?? 'The target'} moved on while the agents worked.`];
	}

	const {subtask, updates, report, why} = agentOf(state, name) ?? {};
	const said = updates?.checkpoint?.changes.map(
		({file, description}) => `${file}: ${description ?? 'changed'}`,
	);
	const lines: readonly (readonly [string, string | undefined])[] = [
		['Subtask', subtask?.subtask],
		['Goal', subtask?.goal],
		['Said at its checkpoint', said?.join('; ')],
		['Said in the end', updates?.summary?.value ?? report?.status ?? why],
	];
	return lines.flatMap(([title, value]) =>
		value === undefined || value === '' ? [] : [`- ${title}: ${oneLine(value)}`],
	);
};
