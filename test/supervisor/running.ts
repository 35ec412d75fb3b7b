import {onTestFinished, vi} from 'vitest';
import type {Plan} from '../../src/events/plan.ts';
import {groupsContainment} from '../../src/lib/process/containment.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {answerRequest} from '../../src/supervisor/requests/answer-request.ts';
import {type RunningSession, runSession} from '../../src/supervisor/session.ts';
import {startSession} from '../../src/supervisor/start-session.ts';
import type {StartParts} from '../../src/supervisor/world.ts';
import {makeStore} from '../git/world.ts';
import {planOf, settingsOf, subtask} from '../helpers/plan.ts';
import {type Files, temporaryFolder} from '../helpers/repository.ts';
import {storyMs} from '../helpers/session.ts';
import {type Waits, waitsOf} from '../helpers/waits.ts';
import {watchJournal} from '../helpers/watch-journal.ts';

/** What a supervisor stands on in this process, and what it says to its log. */
export const makeParts = async (files: Files) => {
	const {repository, store, root} = await makeStore(files);
	vi.stubEnv('XDG_RUNTIME_DIR', temporaryFolder());
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	const logged: string[] = [];
	const parts: StartParts = {
		...{repository, store, version: '0', program: ['false']},
		folder: repositoryFolder(temporaryFolder(), repository.id),
		containment: groupsContainment('for a test'),
		log: message => {
			logged.push(message);
		},
		requireLock: () => {},
	};
	return {parts, root, logged};
};

/** A plan with one agent, which is a shell script that may write below `src`. */
export const planOfScript = (script: string, changes: Partial<Plan> = {}): Plan => {
	const agent = {protocol: 'text', command: ['/bin/sh', '-c', script]} as const;
	const scope = {allowed: ['src/**'], forbidden: []};
	return planOf([subtask('AGT-001', {agent, scope})], {verify: [], ...changes});
};

/** A session that runs in this process, with a person who decides. */
export type Running = Waits & {
	readonly running: RunningSession;
	/** Waits for an item and decides it. */
	readonly decide: (kind: Parameters<Waits['item']>[0], choice: string) => Promise<void>;
};

/** Starts a session whose plan is approved, or takes one up that is there already. */
export const runHere = async (parts: StartParts, from: Plan | string): Promise<Running> => {
	const running =
		typeof from === 'string' ? await runSession(parts, from) : await begin(parts, from);
	const watched = watchJournal(parts.folder.session(running.id).journal, {
		limitMs: storyMs,
		lastWords: () => '',
	});
	onTestFinished(async () => {
		await watched.close();
		await running.abandon();
	});
	const waits = waitsOf(watched);
	return {
		...waits,
		running,
		decide: async (kind, choice) => {
			const {id} = await waits.item(kind);
			await answerRequest(running, {do: 'decide', item: id, choice, by: 'user'});
		},
	};
};

const begin = async (parts: StartParts, plan: Plan): Promise<RunningSession> => {
	const settings = settingsOf({quickMs: 0, staggerMs: 0});
	const {running} = await startSession(parts, {
		...{do: 'start', plan, settings, environments: {}, warnings: [], approved: true, demo: false},
	});
	return running;
};
