import type {Body} from '../../src/events/event.ts';
import type {Evidence} from '../../src/events/finding.ts';
import type {Plan} from '../../src/events/plan.ts';
import type {RefusedCause} from '../../src/events/reply.ts';
import {accepted, type Given, working} from './given.ts';
import {mergeBuilt, mergePublished} from './happened.ts';
import {subtask} from './plan.ts';

/** Returns a session of two agents whose works are in the merge, the second one salvaged after a failure. */
export const secondSalvaged = (): Given => {
	const session = working(['AGT-001', 'AGT-002']);
	session.finishes('AGT-001');
	session.decide('r-1', 'merge');
	session.ends('AGT-002', {by: 'exit', code: 1});
	session.decide('f-1', 'salvage');
	return session;
};

/** Reports conflicts at paths, and that the build was blocked by them. */
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

/** Evidence of two sides with a common path. */
export const evidenceAt = (path: string): readonly Evidence[] => [
	{side: 'a', path},
	{side: 'b', path},
];

/** Reports that two sides break each other although git merges them, and that the build was blocked by it. */
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

/** Reports that the accepted work was built as one commit; it changes nothing if that is the tip. */
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

/** Returns whether the session is about to build the accepted work. */
export const builds = (session: Given): boolean =>
	session.keys().some(key => key.startsWith('build:'));

/** Reports the result of that commit's check. */
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

/** Returns a session whose accepted works were built and checked. */
export const checked = (agents: readonly string[], ok = true, plan: Partial<Plan> = {}): Given => {
	const session = accepted(agents, {plan});
	build(session);
	verify(session, ok);
	return session;
};

/** Reports that the target moved to that commit. */
export const publish = (session: Given, commit = 'result', from = 'base'): void => {
	const {merge} = session.state();
	const agents = merge.phase === 'intended' ? merge.built.agents : [];
	session.tell(mergePublished({commit, from, agents}));
};

/** Reports that the target could not be moved. */
export const refuse = (session: Given, cause: RefusedCause, commit = 'result'): void => {
	session.tell({
		kind: 'merge.refused',
		commit,
		cause,
		message: 'a.txt is edited in your checkout.',
		hint: 'commit it or move it away',
	});
};

/** Returns a session whose work was published after another agent had been added, so that it continues. */
export const mergedWhileLasting = (): Given => {
	const session = checked(['AGT-001']);
	session.ask({kind: 'add', subtask: subtask('AGT-002')});
	session.decide('a-1', 'approve');
	publish(session);
	return session;
};

/** Returns the same session after that agent has finished, with its work waiting for review. */
export const secondToReview = (): Given => {
	const session = mergedWhileLasting();
	session.work();
	session.finishes('AGT-002');
	return session;
};
