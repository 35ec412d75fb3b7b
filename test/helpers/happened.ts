import type {BodyOf} from '../../src/events/event.ts';
import type {PublishedResult} from '../../src/events/kinds/merge-event.ts';

type Built = BodyOf<'merge.built'>;
type Published = Extract<BodyOf<'merge.published'>, PublishedResult>;
type Started = BodyOf<'supervisor.started'>;

/** Returns that a supervisor is here. */
export const supervisorStarted = (changes: Partial<Started> = {}): Started => ({
	kind: 'supervisor.started',
	pid: 1,
	version: '0',
	sandbox: {level: 'none', why: 'This is a test.'},
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
