import type {Command} from 'commander';
import type {Store} from '../../git/store/store.ts';
import {changedFiles, sumOfLines} from '../../git/tree/changed-files.ts';
import {patch, rawPatch, treesOf} from '../../git/tree/graft.ts';
import {Failure} from '../../lib/failure.ts';
import {type Agent, lastSnapshot} from '../../state/agent/agent.ts';
import {grantable} from '../../state/granted.ts';
import type {AgentFolder} from '../../supervisor/folder.ts';
import {revertedChanges} from '../../supervisor/worktree/bring-git-back.ts';
import {keepLook, readLook} from '../agent/looks.ts';
import {agentHere, captured, pinnedWork, type WorkRange} from '../agent/work-so-far.ts';
import {findHere, type Here, readLastSession} from '../here.ts';
import {drained, print, printJson} from '../output.ts';
import {requirePerson} from '../reach-supervisor.ts';

/** `diff`: what one agent changed. */
export const addDiff = (program: Command): void => {
	program
		.command('diff <agent> [snapshot]')
		.description('its work since its base, or since one of its snapshots')
		.option('--since-look', 'its work since you last looked at it, here or on the screen')
		.option('--reverted', 'what it changed outside its scope and was reverted instead')
		.option('--json', 'the files with their counts of lines, as JSON')
		.action(async (id: string, since: string | undefined, options: Options) => {
			const here = await findHere();
			if (!(await captured(here, id))) {
				process.stderr.write('What it wrote since its last snapshot is not shown.\n');
			}

			const agent = await agentHere(here, id);
			const store = {gitDir: here.folder.store};
			const folder = (await readLastSession(here))?.folder.agent(id);
			requireOneQuestion(options);
			const from = options.sinceLook ? await lastLook(folder, agent, since) : since;
			const range = options.reverted
				? await revertedOf(store, agent, since)
				: pinnedWork(agent, from);
			await (options.json ? printCounts(store, range) : printPatch(store, range));
			const last = lastSnapshot(agent);
			if (folder !== undefined && last !== undefined && isLook(options) && isPerson(here)) {
				await keepLook(folder, last.number);
			}
		});
};

type Options = {json?: boolean; reverted?: boolean; sinceLook?: boolean};

/** Counts of lines are no look at the work, and what was reverted is not in it. */
const isLook = ({json = false, reverted = false}: Options): boolean => !json && !reverted;

const requireOneQuestion = ({reverted, sinceLook}: Options): void => {
	if (reverted && sinceLook) {
		throw new Failure('usage', 'What was reverted is shown for all looks together.', {
			hint: 'leave one of --reverted and --since-look out',
		});
	}
};

/** What an agent looks at a person has not seen. */
const isPerson = (here: Here): boolean => {
	try {
		requirePerson(here);
		return true;
	} catch {
		return false;
	}
};

const lastLook = async (
	folder: AgentFolder | undefined,
	{id}: Agent,
	since: string | undefined,
): Promise<string> => {
	const look = folder === undefined ? undefined : await readLook(folder);
	if (since !== undefined) {
		throw new Failure('usage', 'It is either since a snapshot or since your last look.');
	}

	if (look === undefined) {
		throw new Failure('refused', `You have not looked at the work of ${id} yet.`, {
			hint: `delegate-tui diff ${id} shows all of it`,
		});
	}

	return String(look);
};

const revertedOf = async (
	store: Store,
	agent: Agent,
	since: string | undefined,
): Promise<WorkRange> => {
	if (since !== undefined) {
		throw new Failure('usage', 'What was reverted is shown for all snapshots together.');
	}

	const {before, after} = await treesOf(store, await revertedChanges(store, agent));
	return {before, after, about: {agent: agent.id, reverted: true, grantable: grantable(agent)}};
};

/** A terminal gets what a person reads, a pipe what git can apply. */
const printPatch = async (store: Store, {before, after}: WorkRange): Promise<void> => {
	if (process.stdout.isTTY) {
		const text = await patch(store, before, after);
		print(text === '' ? 'Nothing was changed.' : text.trimEnd());
	} else {
		process.stdout.write(await rawPatch(store, before, after));
		await drained();
	}
};

const printCounts = async (store: Store, {before, after, about}: WorkRange): Promise<void> => {
	const files = await changedFiles(store, [before, after], {renames: false});
	printJson({
		...about,
		files: files.map(({path, status, added, removed}) => ({path, status, added, removed})),
		...sumOfLines(files),
	});
};
