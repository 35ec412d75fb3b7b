import type {Body} from '../../src/events/event.ts';
import type {Evidence} from '../../src/events/finding.ts';
import type {Plan} from '../../src/events/plan.ts';
import type {RefusedCause} from '../../src/events/reply.ts';
import {accepted, type Given, working} from './given.ts';
import {mergeBuilt, mergePublished} from './happened.ts';
import {subtask} from './plan.ts';

/** A session of two whose works are in the merge, that of the second one salvaged after it failed. */
export const secondSalvaged = (): Given => {
	const session = working(['AGT-001', 'AGT-002']);
	session.finishes('AGT-001');
	session.decide('r-1', 'merge');
	session.ends('AGT-002', {by: 'exit', code: 1});
	session.decide('f-1', 'salvage');
	return session;
};

/** Tells that a path collides, and that building stopped for it. */
export const collide = (
	session: Given,
	...pairs: readonly {path?: string; a: readonly string[]; b: readonly string[]}[]
): void => {
	const first = session.state().counts.c ?? 0;
	session.tell(
		...pairs.map(
			({path = 'a.txt', a, b}): Body => ({
				kind: 'conflict.found',
				path,
				a,
				b,
				type: 'FILE_CONFLICT',
				summary: 'both changed it',
				stages: {base: null, a: null, b: null},
				evidence: evidenceAt(path),
			}),
		),
		{kind: 'merge.blocked', conflicts: pairs.map((_, index) => `c-${first + index + 1}`)},
	);
};

/** What is known of two that have a path in common: that both have it. */
export const evidenceAt = (path: string): readonly Evidence[] => [
	{side: 'a', path},
	{side: 'b', path},
];

/** Tells that two break each other although git merges them, and that building stopped for it. */
export const breakEachOther = (
	session: Given,
	a: readonly string[],
	b: readonly string[],
	confirmed?: {readonly by: string; readonly text: string},
): void => {
	const number = (session.state().counts.c ?? 0) + 1;
	session.tell(
		{
			kind: 'conflict.found',
			type: 'API_CONFLICT',
			rule: 'A2',
			path: 'src/use.ts',
			key: 'A2 src/use.ts size',
			blocking: true,
			confidence: 'high',
			summary: 'size takes more now than src/use.ts gives it.',
			a,
			b,
			evidence: [
				{side: 'a', path: 'src/size.ts', line: 3, text: 'export const size = (a, b) => a + b;'},
				{side: 'b', path: 'src/use.ts', line: 7, text: 'size(1);'},
			],
			files: [
				{path: 'src/size.ts', entry: {mode: '100644', oid: '1'}},
				{path: 'src/use.ts', entry: {mode: '100644', oid: '2'}},
			],
			...(confirmed === undefined ? {} : {confirmed}),
		},
		{kind: 'merge.blocked', conflicts: [`c-${number}`]},
	);
};

/** Tells that the accepted work was put together as one commit; there is nothing to bring when that is the tip. */
export const build = (session: Given, commit = 'result', tip = 'base'): void => {
	const agents = session
		.state()
		.agents.filter(({verdict}) => verdict.kind === 'accepted')
		.map(({id}) => id);
	session.tell(
		mergeBuilt({
			...{commit, tree: `tree of ${commit}`, tip},
			...{agents, files: commit === tip ? 0 : agents.length},
		}),
	);
};

/** Whether the session is about to put the accepted work together. */
export const builds = (session: Given): boolean =>
	session.keys().some(key => key.startsWith('build:'));

/** Tells how the check of that commit ended. */
export const verify = (session: Given, ok: boolean, commit = 'result'): void => {
	session.tell({
		kind: 'verify.ended',
		commit,
		tree: `tree of ${commit}`,
		ok,
		commands: [{command: 'npm test', code: ok ? 0 : 1}],
		log: null,
	});
};

/** A session whose accepted works were put together and checked. */
export const checked = (agents: readonly string[], ok = true, plan: Partial<Plan> = {}): Given => {
	const session = accepted(agents, {plan});
	build(session);
	verify(session, ok);
	return session;
};

/** Tells that the target moved to that commit. */
export const publish = (session: Given, commit = 'result', from = 'base'): void => {
	const {merge} = session.state();
	const agents = merge.phase === 'intended' ? merge.built.agents : [];
	session.tell(mergePublished({commit, from, agents}));
};

/** Tells that it could not be moved. */
export const refuse = (session: Given, cause: RefusedCause, commit = 'result'): void => {
	session.tell({
		kind: 'merge.refused',
		commit,
		cause,
		message: 'a.txt is edited in your checkout.',
		hint: 'commit it or move it away',
	});
};

/** A session whose work was published while another agent had been added, so that it lasts. */
export const mergedWhileLasting = (): Given => {
	const session = checked(['AGT-001']);
	session.ask({kind: 'add', subtask: subtask('AGT-002')});
	session.decide('a-1', 'approve');
	publish(session);
	return session;
};

/** The same, where that agent has finished since, and its work waits for review. */
export const secondToReview = (): Given => {
	const session = mergedWhileLasting();
	session.work();
	session.finishes('AGT-002');
	return session;
};
