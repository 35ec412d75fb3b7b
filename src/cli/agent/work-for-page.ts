import {open} from 'node:fs/promises';
import {patch} from '../../git/tree/patch.ts';
import {readEnd} from '../../lib/files/read-end.ts';
import {lastSnapshot} from '../../state/select.ts';
import {type Here, readLastSession} from '../here.ts';
import {agentHere, captured, workOf} from './work-so-far.ts';

/** Returns what an agent said last and what it changed, for whoever is about to answer it; what it has not saved yet is pinned first, where it is at work. */
export const workForPage = async (here: Here, id: string) => {
	const isWhole = await captured(here, id);
	const agent = await agentHere(here, id);
	const session = await readLastSession(here);
	const transcript = session?.folder.agent(id).transcript(agent.turn.number);
	const isPinned = lastSnapshot(agent) !== undefined;
	const {before, after} = isPinned ? workOf(agent, undefined) : {before: '', after: ''};
	return {
		words: transcript === undefined ? '' : await endOf(transcript),
		patch: isPinned ? await patch({gitDir: here.folder.store}, before, after) : '',
		...(isWhole ? {} : {remark: 'What it wrote since its last snapshot is not shown.'}),
	};
};

/** Most lines and bytes of what it said. */
const most = {lines: 40, bytes: 64 * 1024};

const endOf = async (path: string): Promise<string> => {
	await using file = await open(path).catch(() => undefined);
	const text = file === undefined ? '' : await readEnd(file, most.bytes);
	return text.trimEnd().split('\n').slice(-most.lines).join('\n');
};
