import {open} from 'node:fs/promises';
import {Failure} from '../../lib/failure.ts';
import {readEnd, succeeds} from '../../lib/files/reading.ts';
import {type Agent, lastSnapshot, type Snapshot} from '../../state/agent/agent.ts';
import {agentOf, isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {shownLine} from '../../supervisor/show/show.ts';
import {listFiles, shownPatch} from '../../supervisor/show/shown-work.ts';
import {type Here, isActive, readLastSession} from '../here.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/** Two commits or trees, and the data to print about them. */
export type WorkRange = {
	readonly before: string;
	readonly after: string;
	readonly about: Readonly<Record<string, unknown>>;
};

/** Pins the changes of a working agent since its last snapshot; returns whether all its work is pinned. */
export const captured = async (here: Here, id: string): Promise<boolean> => {
	const session = await readLastSession(here);
	const agent = session && agentOf(session.state, id);
	return isActive(session) && agent !== undefined && isLive(agent)
		? succeeds(askSupervisor(here, {do: 'capture', agent: id}))
		: true;
};

export const agentHere = async (here: Here, id: string): Promise<Agent> => {
	const session = await readLastSession(here);
	const agent = session && agentOf(session.state, id);
	if (agent === undefined) {
		const ids = session?.state.agents.map(({id}) => id) ?? [];
		throw new Failure('usage', `There is no agent ${id} in the last session.`, {
			hint: ids.length === 0 ? 'none was started yet' : `take one of: ${ids.join(', ')}`,
		});
	}

	return agent;
};

/** Returns the pinned work of an agent since its base, or since one of its snapshots. */
export const pinnedWork = (agent: Agent, since: string | undefined): WorkRange => {
	const to = lastSnapshot(agent);
	if (to === undefined) {
		throw new Failure('refused', `${agent.id} has no work to show yet.`);
	}

	const from = since === undefined ? undefined : snapshotIn(agent, since);
	const before = from?.work ?? to.startingPoint.base;
	return {
		before,
		after: to.work,
		about: {
			agent: agent.id,
			from: {snapshot: from?.number ?? null, commit: before},
			to: {snapshot: to.number, at: to.at, commit: to.work},
		},
	};
};

const snapshotIn = ({id, snapshots}: Agent, number: string): Snapshot => {
	const found = snapshots.find(snapshot => String(snapshot.number) === number);
	if (found === undefined) {
		throw new Failure('usage', `${id} has no snapshot ${number}.`, {
			hint: `take one of: ${snapshots.map(({number}) => number).join(', ')}`,
		});
	}

	return found;
};

/** Returns an agent's last words and changes, for a person who is about to answer it; unsaved work of a running agent is pinned first. */
export const workForPage = async (here: Here, id: string) => {
	const isWhole = await captured(here, id);
	const agent = await agentHere(here, id);
	const session = await readLastSession(here);
	const transcript = session?.folder.agent(id).transcript(agent.turn.number);
	const isPinned = lastSnapshot(agent) !== undefined;
	return {
		words: transcript === undefined ? '' : await endOf(transcript),
		...(isPinned ? await changesIn(here, agent, session?.state) : {files: [], patch: ''}),
		...(isWhole ? {} : {remark: 'What it wrote since its last snapshot is not shown.'}),
	};
};

/** Lists all files of its work, and returns a diff that a browser can show: files that are too long are only named. */
const changesIn = async (here: Here, agent: Agent, state: State | undefined) => {
	const store = {gitDir: here.folder.store};
	const {before, after} = pinnedWork(agent, undefined);
	const commands = state?.session?.plan ?? {setup: [], verify: []};
	for (let most = mostPatch.lines; ; most = Math.floor(most / 2)) {
		const whole = await shownPatch(store, [before, after], {commands, most});
		const patch = whole.split('\n').map(shownLine).join('\n');
		if (patch.length <= mostPatch.characters || most === 0) {
			const files = await listFiles(store, [before, after], {commands, most});
			const [own = [], repeats = []] = [false, true].map(repeats =>
				files.filter(({like}) => (like !== undefined) === repeats),
			);
			return {patch, files: [...own, ...repeats]};
		}
	}
};

/** Largest diff for a browser, which hangs on larger ones. */
const mostPatch = {lines: 8000, characters: 500_000};

/** Maximum lines and bytes of its output. */
const most = {lines: 40, bytes: 64 * 1024};

const endOf = async (path: string): Promise<string> => {
	await using file = await open(path).catch(() => undefined);
	const text = file === undefined ? '' : await readEnd(file, most.bytes);
	return text.trimEnd().split('\n').slice(-most.lines).join('\n');
};
