import type {BodyOf} from '../../src/events/event.ts';
import type {Plan, Subtask} from '../../src/events/plan.ts';
import type {Settings} from '../../src/events/settings.ts';

/** Returns a subtask with default values. */
export const subtask = (id: string, changes: Partial<Subtask> = {}): Subtask => ({
	id,
	subtask: `Part of ${id}`,
	scope: {allowed: [`${id}/**`], forbidden: []},
	agent: {protocol: 'text', command: ['agent', id]},
	inputs: [],
	metrics: [],
	after: [],
	timeoutMs: 3_600_000,
	thinking: 'standard',
	expect: [],
	...changes,
});

/** Returns a plan of these agents. */
export const planOf = (agents: readonly Subtask[], changes: Partial<Plan> = {}): Plan => ({
	task: 'Rate-limit the public API',
	success: [],
	setup: [],
	copy: [],
	verify: ['npm test'],
	supervision: 'supervised',
	agents,
	...changes,
});

/** Returns the settings of a session with an empty config, with changes. */
export const settingsOf = (changes: Partial<Settings> = {}): Settings => ({
	parallel: 3,
	quickMs: 480_000,
	docs: true,
	files: 20,
	checkpointMs: 1_800_000,
	modelRetriesMs: [15_000, 60_000, 300_000, 900_000],
	checks: 1,
	...changes,
});

type Started = BodyOf<'session.started'>;

/** Returns the event that starts a session with a plan. */
export const sessionStarted = (plan: Plan, changes: Partial<Started> = {}): Started => ({
	kind: 'session.started',
	session: 'DEL-20260101T000000000Z',
	repository: {id: 'repository', root: '/project'},
	target: 'main',
	base: 'base',
	plan,
	settings: settingsOf(),
	gitSettings: {digest: 'first', parts: {}},
	warnings: [],
	demo: false,
	...changes,
});
