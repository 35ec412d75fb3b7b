import {lstat, readdir, realpath, rm} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {
	foldersOf,
	prepareHome,
	type QuestionHome,
	questionHome,
	roomsOf,
	watchFolders,
} from '../../control/questions/home.ts';
import {unlessNoFolder, within, withWorktree} from '../../git/worktree/open-worktree.ts';
import {ifThere, isThere} from '../../lib/files/reading.ts';
import type {Bind} from '../../lib/process/containment.ts';
import {isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';

/** Returns the folders of questions that an agent has for itself, if its containment can mount them. */
export const ownHome = (
	{questions}: Pick<SessionFolder, 'questions'>,
	agent: string,
): QuestionHome => questionHome(join(questions, agent));

/**
Creates an agent's own folders and returns the bind mounts that put them in place of the shared ones.

The agent then can't find other agents' questions or answers: all own folders are in one folder, and each agent's is mounted over that as well, unless `isHidden`. There, it could replace its folders by links just before they are mounted.
*/
export const ownFolders = async (
	home: QuestionHome,
	{questions}: Pick<SessionFolder, 'questions'>,
	agent: string,
	isHidden = false,
): Promise<readonly Bind[]> => {
	const own = ownHome({questions}, agent);
	await unlink(own);
	await Promise.all([home, own].map(prepareHome));
	await inside(own.path, own.answers, forgetAnswers);
	const rooms = roomsOf(own).map((from, index) => ({from, to: roomsOf(home)[index] ?? from}));
	const others = isHidden ? [] : [{from: own.path, to: questions}];
	const binds = await Promise.all([...rooms, ...others].map(resolved));
	return binds.filter(bind => bind !== undefined);
};

/** Removes links that an agent may have put in place of its folders, which could lead to the shared ones. */
const unlink = async (own: QuestionHome): Promise<void> => {
	for (const room of roomsOf(own)) {
		const found = await ifThere(lstat(room));
		await (found === undefined || found.isDirectory() ? undefined : rm(room));
	}
};

/** Removes answers that an agent hasn't taken in its last turn: they come with a prompt, and could pass for the answer to a later question of the same name. */
const forgetAnswers = async (answers: string): Promise<void> => {
	for (const name of (await readdir(answers)).filter(name => name.endsWith('.txt'))) {
		await rm(join(answers, name)).catch(() => {});
	}
};

/** Lends a path that leads only to a folder below another one: an agent may replace the lower one by a link at any moment. Returns `undefined` if no folder is in its place. */
export const inside = async <Result>(
	above: string,
	folder: string,
	use: (folder: string) => Promise<Result>,
): Promise<Result | undefined> => {
	const names = relative(above, folder).split(sep).filter(Boolean);
	return withWorktree(above, root => within(root, names, use)).catch(unlessNoFolder);
};

/** Resolves the target of a bind mount; `undefined` if it is missing or unreachable: `bwrap` would fail, and it doesn't follow absolute links. */
const resolved = async ({from, to}: Bind): Promise<Bind | undefined> => {
	try {
		return {from, to: await realpath(`${to}/`)};
	} catch {
		return undefined;
	}
};

export type OwnFolders = {readonly agent: string; readonly home: QuestionHome};

type Parts = {
	readonly folder: SessionFolder;
	readonly state: () => State;
	readonly onChange: () => void;
};

/** Returns a function that lists the working agents with folders of their own, and one that stops watching the folders. */
export const watchOwnFolders = ({folder, state, onChange}: Parts) => {
	const watched = new Map<string, () => void>();

	const isUsable = async ({agent, home}: OwnFolders): Promise<boolean> => {
		// An agent may change these folders in any way.
		const isPlain = (await isThere(home.path)) && (await isPrepared(home));
		if (isPlain && !watched.has(agent)) {
			watched.set(agent, watchFolders([home.pending, home.answers], onChange));
		}

		return isPlain;
	};

	const leave = (agent: string): void => {
		watched.get(agent)?.();
		watched.delete(agent);
	};

	return {
		look: async (): Promise<readonly OwnFolders[]> => {
			const live = state().agents.filter(isLive);
			const own = live.map(({id}) => ({agent: id, home: ownHome(folder, id)}));
			[...watched.keys()].filter(agent => !own.some(one => one.agent === agent)).forEach(leave);
			const usable = await Promise.all(own.map(isUsable));
			return own.filter((_, index) => usable[index]);
		},
		close: () => [...watched.keys()].forEach(leave),
	};
};

/** Returns whether an agent's own folders exist and are no links, which could lead elsewhere. */
export const isPrepared = async (home: QuestionHome): Promise<boolean> => {
	const [trouble] = await prepareHome(home);
	const paths = [...roomsOf(home), ...foldersOf(home)];
	const found = await Promise.all(paths.map(path => lstat(path).catch(() => undefined)));
	return trouble === undefined && found.every(one => one?.isDirectory());
};
