import {lstat} from 'node:fs/promises';
import {foldersOf, prepareHome, type QuestionHome, roomsOf} from '../../control/questions/home.ts';
import {watchFolders} from '../../control/questions/watch-folders.ts';
import {isThere} from '../../lib/files/is-there.ts';
import {isLive} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import {ownHome} from './own-folders.ts';

/** The folders of questions that one agent has for itself. */
export type OwnFolders = {readonly agent: string; readonly home: QuestionHome};

type Parts = {
	readonly folder: SessionFolder;
	readonly state: () => State;
	readonly onChange: () => void;
};

/** Returns how to get to know which agents at work have folders of their own, and how to stop watching those. */
export const watchOwnFolders = ({folder, state, onChange}: Parts) => {
	const watched = new Map<string, () => void>();

	const isUsable = async ({agent, home}: OwnFolders): Promise<boolean> => {
		// An agent may do what it likes with them.
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

/** Returns whether an agent's own folders are there, as folders: a link would lead somewhere else. */
export const isPrepared = async (home: QuestionHome): Promise<boolean> => {
	const [trouble] = await prepareHome(home);
	const paths = [...roomsOf(home), ...foldersOf(home)];
	const found = await Promise.all(paths.map(path => lstat(path).catch(() => undefined)));
	return trouble === undefined && found.every(one => one?.isDirectory());
};
