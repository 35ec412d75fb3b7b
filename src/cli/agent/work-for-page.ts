import {open} from 'node:fs/promises';
import {readEnd} from '../../lib/files/read-end.ts';
import type {Agent} from '../../state/agent/agent.ts';
import {lastSnapshot} from '../../state/select.ts';
import type {State} from '../../state/state.ts';
import {shownLine} from '../../supervisor/show/show.ts';
import {listFiles, shownPatch} from '../../supervisor/show/shown-work.ts';
import {type Here, readLastSession} from '../here.ts';
import {agentHere, captured, workOf} from './work-so-far.ts';

/** Returns what an agent said last and what it changed, for whoever is about to answer it; what it has not saved yet is pinned first, where it is at work. */
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

/** Lists all files of its work, and returns as much of the diff as a browser can take: files that are too long are left out by name. */
const changesIn = async (here: Here, agent: Agent, state: State | undefined) => {
	const store = {gitDir: here.folder.store};
	const {before, after} = workOf(agent, undefined);
	const commands = state?.session?.plan ?? {setup: [], verify: []};
	for (let most = mostPatch.lines; ; most = Math.floor(most / 2)) {
		const whole = await shownPatch(store, [before, after], {commands, most});
		const patch = whole.split('\n').map(shownLine).join('\n');
		if (patch.length <= mostPatch.characters || most === 0) {
			return {patch, files: await listFiles(store, [before, after], {commands, most})};
		}
	}
};

/** A browser stands still over more. */
const mostPatch = {lines: 8000, characters: 500_000};

/** Most lines and bytes of what it said. */
const most = {lines: 40, bytes: 64 * 1024};

const endOf = async (path: string): Promise<string> => {
	await using file = await open(path).catch(() => undefined);
	const text = file === undefined ? '' : await readEnd(file, most.bytes);
	return text.trimEnd().split('\n').slice(-most.lines).join('\n');
};
