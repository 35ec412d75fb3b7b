import type {BodyOf} from '../../src/events/event.ts';
import type {PublishedResult} from '../../src/events/kinds/merge-event.ts';

type Built = BodyOf<'merge.built'>;
type Published = Extract<BodyOf<'merge.published'>, PublishedResult>;
type Started = BodyOf<'supervisor.started'>;
type ScopeLeft = BodyOf<'scope.left'>;

/** Returns the event of a supervisor's start. */
export const supervisorStarted = (changes: Partial<Started> = {}): Started => ({
	kind: 'supervisor.started',
	pid: 1,
	version: '0',
	sandbox: {level: 'none', why: 'This is a test.'},
	...changes,
});

/** Returns the event of a change outside an agent's scope, which was reverted. */
export const scopeLeft = (path: string, changes: Partial<ScopeLeft> = {}): ScopeLeft => ({
	...{kind: 'scope.left', agent: 'AGT-001', path, change: 'added', why: 'not allowed'},
	patch: 'AGT-001/aside/1.patch',
	...changes,
});

/** Returns the event of a built merge, without findings and with the settings of the session's start. */
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

/** Returns the event of a published result, which was checked. */
export const mergePublished = (changes: Partial<Published> = {}): Published => ({
	kind: 'merge.published',
	commit: 'result',
	from: 'base',
	agents: ['AGT-001'],
	tree: 'tree of result',
	checked: 'passed',
	...changes,
});
