import type {Command} from 'commander';
import {changes} from '../../git/tree/changes.ts';
import {lineCounts} from '../../git/tree/line-counts.ts';
import {patch, rawPatch} from '../../git/tree/patch.ts';
import {Failure} from '../../lib/failure.ts';
import type {Agent, Snapshot} from '../../state/agent/agent.ts';
import {agentOf, isLive, lastSnapshot} from '../../state/select.ts';
import {findHere, type Here, isActive, readLastSession} from '../here.ts';
import {drained, print, printJson} from '../output.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/** `diff`: what one agent changed. */
export const addDiff = (program: Command): void => {
	program
		.command('diff <agent> [snapshot]')
		.description('its work since its base, or since one of its snapshots')
		.option('--json', 'the files with their counts of lines, as JSON')
		.action(async (id: string, since: string | undefined, {json}: {json?: boolean}) => {
			const here = await findHere();
			await look(here, id);
			const agent = await agentIn(here, id);
			const to = lastSnapshot(agent);
			if (to === undefined) {
				throw new Failure('refused', `There is no work of ${id} to show yet.`);
			}

			const from = since === undefined ? undefined : snapshotIn(agent, since);
			const range: Range = {agent: id, from, to, store: {gitDir: here.folder.store}};
			await (json ? printCounts(range) : printPatch(range));
		});
};

type Range = {
	readonly agent: string;
	/** Absent for the base. */
	readonly from: Snapshot | undefined;
	readonly to: Snapshot;
	readonly store: {readonly gitDir: string};
};

/** What an agent at work has written since its last snapshot is pinned first; where that can't be had, the last one is shown. */
const look = async (here: Here, id: string): Promise<void> => {
	const session = await readLastSession(here);
	const agent = session && agentOf(session.state, id);
	if (isActive(session) && agent !== undefined && isLive(agent)) {
		await askSupervisor(here, {do: 'capture', agent: id}).catch(() => {
			process.stderr.write('What it wrote since its last snapshot is not shown.\n');
		});
	}
};

const agentIn = async (here: Here, id: string): Promise<Agent> => {
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

const snapshotIn = ({id, snapshots}: Agent, number: string): Snapshot => {
	const found = snapshots.find(snapshot => String(snapshot.number) === number);
	if (found === undefined) {
		throw new Failure('usage', `${id} has no snapshot ${number}.`, {
			hint: `take one of: ${snapshots.map(({number}) => number).join(', ')}`,
		});
	}

	return found;
};

const fromOf = ({from, to}: Range): string => from?.work ?? to.ground.base;

/** A terminal gets what a person reads, a pipe what git can apply. */
const printPatch = async (range: Range): Promise<void> => {
	const {store, to} = range;
	if (process.stdout.isTTY) {
		const text = await patch(store, fromOf(range), to.work);
		print(text === '' ? 'Nothing was changed.' : text.trimEnd());
	} else {
		process.stdout.write(await rawPatch(store, fromOf(range), to.work));
		await drained();
	}
};

const printCounts = async (range: Range): Promise<void> => {
	const {agent, from, to, store} = range;
	const before = fromOf(range);
	const lines = await lineCounts(store, before, to.work);
	const counts = new Map(lines.map(({path, added, removed}) => [path, {added, removed}]));
	const files = (await changes(store, before, to.work)).map(({path, status}) => ({
		path,
		status,
		...(counts.get(path) ?? {added: null, removed: null}),
	}));
	printJson({
		agent,
		from: {snapshot: from?.number ?? null, commit: before},
		to: {snapshot: to.number, at: to.at, commit: to.work},
		files,
		added: files.reduce((sum, {added}) => sum + (added ?? 0), 0),
		removed: files.reduce((sum, {removed}) => sum + (removed ?? 0), 0),
	});
};
