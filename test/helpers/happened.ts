import type {BodyOf} from '../../src/events/event.ts';
import type {PublishedResult} from '../../src/events/kinds/merge-event.ts';

type Built = BodyOf<'merge.built'>;
type Published = Extract<BodyOf<'merge.published'>, PublishedResult>;
type Started = BodyOf<'supervisor.started'>;
type ScopeLeft = BodyOf<'scope.left'>;

/** Returns that a supervisor is here. */
export const supervisorStarted = (changes: Partial<Started> = {}): Started => ({
	kind: 'supervisor.started',
	pid: 1,
	version: '0',
	sandbox: {level: 'none', why: 'This is a test.'},
	...changes,
});

/** Returns that an agent changed what its scope does not allow, which was reverted. */
export const scopeLeft = (path: string, changes: Partial<ScopeLeft> = {}): ScopeLeft => ({
	...{kind: 'scope.left', agent: 'AGT-001', path, change: 'added', why: 'not allowed'},
	patch: 'AGT-001/aside/1.patch',
	...changes,
});

/** Returns that accepted work was put together, with nothing found and under the settings of the session's beginning. */
export const mergeBuilt = (changes: Partial<Built> = {}): Built => ({
	kind: 'merge.built',
	commit: 'result',
	tree: 'tree of result',
	tip: 'base',
	agents: ['AGT-001'],
	files: 1,
	looked: {outcome: 'compared', merges: 1, oracles: [], unread: 0},
	gitSettings: {digest: 'first', changed: []},
	...changes,
});

/** Returns that the target moved to a result that was checked. */
export const mergePublished = (changes: Partial<Published> = {}): Published => ({
	kind: 'merge.published',
	commit: 'result',
	from: 'base',
	agents: ['AGT-001'],
	tree: 'tree of result',
	checked: 'passed',
	...changes,
});
