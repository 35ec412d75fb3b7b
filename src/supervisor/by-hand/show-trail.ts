import {hunksOf} from '../../conflicts/by-hand/marked-text.ts';
import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {sealed} from '../../git/process/sealed.ts';
import {readJournal} from '../../journal/read.ts';
import {Failure} from '../../lib/failure.ts';
import {type Trail, trailOf} from '../../rules/by-hand/trail.ts';
import type {Signal} from '../../signals/index.ts';
import type {Snapshot} from '../../state/agent/agent.ts';
import type {ItemOf} from '../../state/item.ts';
import {agentOf} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {requireSession} from '../require-session.ts';
import type {Shown} from '../show/show.ts';
import type {Works} from '../world.ts';
import {type Change, firstSnapshotWith} from './first-snapshot-with.ts';
import {readHandFile} from './hand-file.ts';

/**
Returns what led to the lines of a hunk, counted from 0, for each who wrote some: the snapshot that brought them first, what its agent said then, and what it had asked and was answered.

@throws `Failure` of kind `refused` when there is no such hunk
*/
export const showTrail = async (
	works: Works,
	state: State,
	{item, hunk: number}: {readonly item: ItemOf<'conflict'>; readonly hunk: number},
): Promise<Shown> => {
	const file = await readHandFile(works, item);
	const hunk = 'whole' in file ? undefined : hunksOf(file.segments ?? [])[number];
	if (hunk === undefined) {
		throw new Failure('refused', `There is no hunk ${number + 1} in ${item.path}.`);
	}

	const events = await eventsOf(works);
	const told: string[] = [];
	for (const [owners, text] of [
		[item.a, hunk.left],
		[item.b, hunk.right],
	] as const) {
		for (const owner of owners) {
			const change = {text, before: hunk.base};
			const lines =
				owner === 'target'
					? await targetLines(works, state, item.path)
					: await agentLines(works, events, {state, agent: owner, path: item.path, change});
			told.push(...(told.length === 0 ? [] : ['']), ...lines);
		}
	}

	return {text: told.join('\n')};
};

const eventsOf = async ({folder}: Works): Promise<readonly Event[]> => {
	if (folder === undefined) {
		throw new Failure('refused', 'Only a session under way shows what led to a hunk.');
	}

	return (await readJournal(folder.journal)).entries.filter(isEvent);
};

/** Longest text of an agent or a person that is quoted, in characters. */
const longest = 400;

const quoted = (text: string): string => {
	const line = text.trim().replaceAll(/\s+/g, ' ');
	return line.length > longest ? `${line.slice(0, longest)} …` : line;
};

const targetLines = async (
	{store}: Works,
	state: State,
	path: string,
): Promise<readonly string[]> => {
	const {base, tip, target} = requireSession(state);
	const format = ['log', '-3', '--format=%h %an: %s', `${base}..${tip}`];
	const log = path.isWellFormed()
		? (await sealed(store, [...format, '--', `:(literal)${path}`])).stdout.toString('utf8')
		: '';
	const commits = log.split('\n').filter(line => line !== '');
	return [
		`target (${target})`,
		...(commits.length === 0
			? ['  No commit since the session began mentions it.']
			: [
					'  The last commits that changed this file:',
					...commits.map(line => `  ${quoted(line)}`),
				]),
	];
};

type Parts = {
	readonly state: State;
	readonly agent: string;
	readonly path: string;
	readonly change: Change;
};

const agentLines = async (
	works: Works,
	events: readonly Event[],
	{state, agent: id, path, change}: Parts,
): Promise<readonly string[]> => {
	const agent = agentOf(state, id);
	const title = `${id}  ${quoted(agent?.subtask.subtask ?? '')}`;
	const snapshot = await firstSnapshotWith(works, agent?.snapshots ?? [], path, change);
	const trail = snapshot && trailOf(events, id, snapshot.number);
	return snapshot === undefined || trail === undefined
		? [title, '  No snapshot of its work holds exactly these lines.']
		: [title, ...trailLines(snapshot, trail, change)];
};

const trailLines = (
	{number}: Snapshot,
	{at, reason, said, asked}: Trail,
	{text}: Change,
): readonly string[] => [
	`  Snapshot ${number} (${reason}, ${at.slice(11, 19)}) was the first that ${text === '' ? 'went without the lines before' : 'held these lines'}.`,
	said === undefined ? '  It had said nothing yet.' : `  It said: ${quoted(saidText(said))}`,
	...(asked === undefined
		? ['  It had asked nothing before.']
		: [
				`  It had asked (${asked.item}): ${quoted(asked.question)}`,
				`  The answer was: ${quoted([asked.answer, ...(asked.note === undefined ? [] : [asked.note])].join(' – '))}`,
			]),
];

const saidText = (signal: Signal): string => {
	switch (signal.kind) {
		case 'checkpoint':
			return [
				`checkpoint${signal.progress === undefined ? '' : ` at ${signal.progress} %`}`,
				...signal.changes.map(({file, description}) => `${file}: ${description}`),
			].join('; ');
		case 'completion_report':
			return [`its work is done (${signal.status})`, ...signal.recommendations].join('; ');
		case 'progress':
			return `${signal.phase} - ${signal.status}`;
		case 'finding':
			return signal.finding;
		case 'stop_work':
			return `it stops: ${signal.details}`;
		case 'error':
			return `error: ${signal.description}`;
		default:
			return 'value' in signal ? `${signal.kind}: ${signal.value}` : signal.kind;
	}
};
