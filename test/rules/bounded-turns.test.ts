import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {AgentOrder} from '../../src/events/agent-order.ts';
import type {Body, Event, TurnEnd} from '../../src/events/event.ts';
import {asFailure} from '../../src/lib/failure.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {duePrompt} from '../../src/rules/effects/prompts.ts';
import {inbox} from '../../src/rules/inbox.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {isHeldUp} from '../../src/state/items.ts';
import {isLive, itemsOf} from '../../src/state/select.ts';
import type {State} from '../../src/state/state.ts';
import {textOf} from '../client/texts/text-of.ts';
import {order} from '../helpers/any-parts.ts';
import {where} from '../helpers/delivered.ts';
import {banner, completed, type Given, hear, report, starting, working} from '../helpers/given.ts';
import {scopeLeft, supervisorStarted} from '../helpers/happened.ts';
import {settingsOf, subtask} from '../helpers/plan.ts';
import {quietOutcome, snapshotTaken} from '../helpers/quiet-outcome.ts';
import {behaviourOf, type Whim, whimOf} from '../helpers/whims.ts';
import {words} from '../helpers/words.ts';

const programs = [
	{protocol: 'acp', command: ['agent']},
	{protocol: 'text', command: ['agent']},
	{protocol: 'text', command: ['agent'], reply: 'stdin'},
] as const;

/** A session of three agents in a pure world, with a person who says something now and then. */
type Walk = {
	readonly session: Given;
	readonly whim: Whim;
	/** What an agent does next in its turn. */
	readonly act: (agent: Agent) => Body;
	/** Once in how many steps the supervisor dies. */
	readonly crashes: number;
	/** Whether no agent changes a file. */
	readonly idle: boolean;
	/** Fails where an event breaks what is promised. */
	readonly hear: (event: Event) => void;
	/** Notes what was tried. */
	readonly tried: Set<string>;
	heard: number;
};

/** Lets things happen at random, a person say anything to anybody, and then all that happens without them. */
const wander = (walk: Walk): void => {
	for (let words = 0; words < 12 && !walk.session.state().session?.ended; words++) {
		for (let steps = walk.whim.oneIn(2) ? 0 : 6; steps > 0; steps--) {
			step(walk);
		}

		say(walk);
		if (walk.whim.oneIn(2)) {
			settle(walk);
		}
	}

	settle(walk);
};

const tell = (walk: Walk, ...bodies: readonly Body[]): void => {
	walk.session.tell(...bodies);
	hearAll(walk);
};

const hearAll = (walk: Walk): void => {
	const events = walk.session.events();
	events.slice(walk.heard).forEach(walk.hear);
	walk.heard = events.length;
};

/** One thing that happens without a person; returns false where there is none but a timer. */
const step = (walk: Walk): boolean => {
	const {session, whim} = walk;
	const live = session.state().agents.filter(isLive);
	const next = [...live, ...session.owed().effects];
	if (next.length === 0) {
		return false;
	}

	if (whim.oneIn(walk.crashes)) {
		crash(walk);
	} else if (whim.oneIn(20) && session.timer('') !== undefined) {
		ring(walk);
	} else {
		const one = whim.among(next);
		tell(walk, ...('do' in one ? outcomeOf(walk, one) : [walk.act(one)]));
	}

	return true;
};

const outcomeOf = ({session, whim, idle}: Walk, effect: Effect): readonly Body[] => {
	const [state, events] = [session.state(), session.events()];
	try {
		const seen = {state, events, tip: 'base', moveTip: () => {}};
		const bodies = behaviourOf(whim).outcome(effect, seen);
		return idle ? bodies.map(unchanged) : bodies;
	} catch (error) {
		const {kind, message} = asFailure(error);
		return [{kind: 'effect.failed', effect: effect.key, message, final: kind !== 'internal'}];
	}
};

/** The tree of a worktree in which nothing has changed since it was made. */
const unchanged = (body: Body): Body =>
	body.kind === 'snapshot.taken' ? {...body, tree: 'tree of base'} : body;

const crash = (walk: Walk): void => {
	walk.tried.add('supervisor restarted');
	const lost = walk.session.state().agents.filter(isLive);
	tell(
		walk,
		...lost.map(({id, turn}): Body => ended(id, turn.number, {by: 'lost'})),
		supervisorStarted(),
	);
};

const ended = (agent: string, turn: number, end: TurnEnd): Body => ({
	kind: 'turn.ended',
	agent,
	turn,
	end,
});

const ring = (walk: Walk): void => {
	walk.session.pass('');
	hearAll(walk);
};

/** Lets all happen that happens without a person. */
const settle = (walk: Walk): void => {
	for (let steps = 0; ; steps++) {
		expect(steps, 'it goes on and on without a person').toBeLessThan(500);
		if (!step(walk)) {
			if (walk.session.timer('') === undefined) {
				break;
			}

			ring(walk);
		}
	}

	for (const agent of walk.session.state().agents) {
		const isAsked = isAskedAboutTurns(walk.session.state(), agent.id);
		expect(isAsked || !isKeptByTheBrake(walk.session.state(), agent), agent.id).toBe(true);
		if (isAsked) {
			walk.tried.add('asked about turns');
		} else if (['RUNNING', 'CHECKPOINT'].includes(agent.state) && agent.held === undefined) {
			const {state} = walk.session;
			const waits = isHeldUp(state(), agent) || itemsOf(state(), agent.id).length > 0;
			expect(waits, `${agent.id} waits for something`).toBe(true);
		}
	}
};

/** Whether an agent would go on, had fewer of its turns come to nothing. */
const isKeptByTheBrake = (state: State, agent: Agent): boolean =>
	duePrompt(state, agent) === undefined &&
	duePrompt(state, {...agent, turnsInVain: 0}) !== undefined;

const isAskedAboutTurns = ({items}: State, id: string): boolean =>
	items.some(item => item.kind === 'limit' && item.agent === id && item.of === 'turns');

/** A person decides something, or steers an agent; what is refused is no word. */
const say = (walk: Walk): void => {
	const {session, whim, tried} = walk;
	const items = inbox(session.state());
	if (items.length > 0 && !whim.oneIn(3)) {
		const sayings = items.flatMap(({id: item, kind, choices}) =>
			[...choices.map(({choice}) => choice), 'any text'].map(choice => ({
				...{item, choice},
				word: `${kind} ${choice.replace(/:.*/, '')}`,
			})),
		);
		// Half of the time a person says what nobody said yet, so that rare choices come up soon.
		const unsaid = sayings.filter(({word}) => !tried.has(word));
		const {item, choice, word} = whim.among(unsaid.length > 0 && whim.oneIn(2) ? unsaid : sayings);
		const refusal = session.refusal(item, choice, {
			note: 'a note',
			subtask: subtask(`AGT-${100 + session.events().length}`),
			seen: {tip: 'base', files: [{path: 'a.txt', entry: null}], marked: []},
		});
		if (refusal === undefined) {
			tried.add(word);
		}
	} else {
		const steering = whim.among(orders);
		const agent = whim.among(session.state().agents).id;
		if (session.ask({kind: 'steer', agent, order: steering}) === undefined) {
			tried.add(orderText(steering));
		}
	}

	hearAll(walk);
};

const orders = fc.sample(order, {numRuns: 200, seed: 1});

const orderText = (steering: AgentOrder): string => {
	switch (steering.verb) {
		case 'message':
			return steering.now ? 'message --now' : 'message';
		case 'restart':
			return `restart${steering.from === null ? '' : ' --from'}${steering.as === undefined ? '' : ' --agent'}`;
		case 'pause':
		case 'resume':
		case 'switch':
		case 'grant':
		case 'check':
		case 'stop':
			return steering.verb;
	}
};

/** How a turn ends that no other try would make better. */
const deaths: readonly TurnEnd[] = [
	...(['login', 'access', 'credit', 'context', 'model', 'request', 'refused'] as const).map(
		(kind): TurnEnd => ({by: 'error', cause: kind, trouble: {kind, said: kind}}),
	),
	{by: 'error', cause: 'its process ended in the middle of a turn'},
	{by: 'exit', code: 1},
	{by: 'signal', signal: 'SIGSEGV'},
];

/** Fails where a turn of an agent begins although one that began since a person's last word has failed for good. */
const failsOnce = (): Walk['hear'] => {
	const begun = new Set<string>();
	const failed = new Set<string>();
	return event => {
		if (event.kind === 'user.steered' || (event.kind === 'user.decided' && event.by === 'user')) {
			begun.clear();
			failed.clear();
		} else if (event.kind === 'turn.started') {
			expect(failed, where(event, 'a person was asked before')).not.toContain(event.agent);
			begun.add(`${event.agent} ${event.turn}`);
		} else if (event.kind === 'turn.ended' && deaths.some(end => end === event.end)) {
			if (begun.has(`${event.agent} ${event.turn}`)) {
				failed.add(event.agent);
			}
		}
	};
};

const started = (whim: Whim) =>
	starting(
		programs.map((agent, index) => subtask(`AGT-00${index + 1}`, {agent})),
		{plan: {supervision: whim.oneIn(2) ? 'semi-autonomous' : 'supervised'}},
	);

/** What leads to the rarer decisions. */
const often = hear(`${report('success').repeat(4)}${banner}`);

/** What lets an agent go on, or may. */
const resuming: readonly string[] = [
	'message, message --now, pause, resume, stop, grant, check, restart, restart --from',
	'restart --agent, supervisor restarted, question any text, checkpoint continue',
	'checkpoint help, checkpoint restore, blocker resolved, blocker retry, blocker retry-from',
	'blocker skip, blocker delegate, blocker delegate-wait, delegation approve',
	'delegation reject, scope once, scope refuse, limit extend, review feedback',
	'verify feedback, failure retry, failure retry-from, failure redistribute',
	'conflict redo, conflict arbiter',
].flatMap(line => line.split(', '));

it('whatever a person says to an agent whose model fails for good, it fails after one turn and they are asked', () => {
	const tried = new Set<string>();
	const walks = fc.property(fc.gen(), fc.constantFrom(1, 1, 2, 3), (generate, failsFrom) => {
		const whim = whimOf(generate);
		const act = ({id, turn: {number}}: Agent): Body => {
			if (number >= failsFrom) {
				return ended(id, number, whim.among(deaths));
			}

			const signal = whim.among([...words, ...often]);
			return whim.among<Body>([
				{kind: 'signal.said', agent: id, turn: number, signal, offset: 0},
				{kind: 'signal.said', agent: id, turn: number, signal, offset: 0},
				scopeLeft('lib/x.ts', {agent: id}),
				ended(id, number, {by: 'exit', code: 0}),
			]);
		};

		wander({
			...{session: started(whim), whim, act, hear: failsOnce(), tried, heard: 0},
			...{crashes: 30, idle: false},
		});
	});
	for (let seed = 1; seed === 1 || resuming.some(word => !tried.has(word)); seed++) {
		expect(seed, `tried: ${[...tried].join(', ')}`).toBeLessThan(40);
		fc.assert(walks, {seed, numRuns: 20, endOnFailure: true});
	}
});

/** Fails where more turns of an agent begin than may without a word of a person. */
const isBounded = (): Walk['hear'] => {
	const begun = new Map<string, number>();
	return event => {
		if (event.kind === 'user.steered' || (event.kind === 'user.decided' && event.by === 'user')) {
			begun.clear();
		} else if (event.kind === 'turn.started') {
			const count = (begun.get(event.agent) ?? 0) + 1;
			begun.set(event.agent, count);
			expect(count, where(event, 'a person is asked before')).toBeLessThanOrEqual(most);
		}
	};
};

const most = 10 + settingsOf().modelRetriesMs.length;

it('an agent that changes nothing begins so many turns without a word of a person and no more, whatever its turns end of', () => {
	const tried = new Set<string>();
	const walks = fc.property(fc.gen(), fc.constantFrom(2, 4, 30), (generate, crashes) => {
		const whim = whimOf(generate);
		const troubled = (kind: 'overloaded' | 'rate'): TurnEnd => ({
			...{by: 'error', cause: kind},
			trouble: {kind, said: kind},
		});
		const act = ({id, turn: {number}}: Agent): Body => {
			const signal = whim.among(whim.oneIn(3) ? words : hear(banner));
			return whim.among<Body>([
				{kind: 'signal.said', agent: id, turn: number, signal, offset: 0},
				ended(id, number, {by: 'exit', code: 0}),
				ended(id, number, troubled(whim.oneIn(2) ? 'overloaded' : 'rate')),
			]);
		};

		wander({
			...{session: started(whim), whim, act, hear: isBounded(), tried, heard: 0},
			...{crashes, idle: true},
		});
	});
	fc.assert(walks, {seed: 1, numRuns: 100, endOnFailure: true});
	expect([...tried]).toEqual(expect.arrayContaining(['asked about turns', 'limit extend']));
});

describe('a supervisor that dies in each turn', () => {
	const dies = (session: Given, tree?: string): void => {
		const {id, turn} = session.agent('AGT-001');
		session.tell(ended(id, turn.number, {by: 'lost'}), supervisorStarted());
		const pinned = snapshotTaken(session.state(), id, `exit:${turn.number}`);
		session.tell(tree === undefined ? pinned : {...pinned, tree});
		session.work();
	};
	const turnsOf = (session: Given): number => session.agent('AGT-001').turn.number;

	it('has a person asked before it spends more prompts, whatever was begun in these turns', () => {
		for (const tree of ['tree of base', undefined]) {
			const session = working(['AGT-001']);
			for (let turn = 1; turn <= most; turn++) {
				expect([turnsOf(session), session.kinds()]).toEqual([turn, []]);
				dies(session, tree);
			}

			expect([turnsOf(session), session.stateOf('AGT-001')]).toEqual([most, 'CHECKPOINT']);
			expect(session.item('limit').of).toBe('turns');
			const [item] = inbox(session.state());
			expect(item).toMatchObject({used: most, allowed: most});
			expect(textOf(session)).toContain(
				`Turns since your last word or a change: ${most} of ${most}`,
			);
			session.decide('l-1', 'extend', 'the memory is enough now');
			session.work();
			expect([turnsOf(session), session.stateOf('AGT-001')]).toEqual([most + 1, 'RUNNING']);
			expect(session.agent('AGT-001').delivered).toMatchObject([
				{heading: 'MESSAGE', text: 'the memory is enough now'},
			]);
		}
	});

	it.each([
		['that starts', () => starting(['AGT-001'])],
		['that is sent back', () => completed(['AGT-001'])],
	])(
		'has a person asked about an agent %s, also where only the beginning of the turn was written',
		(_, make) => {
			const session = make();
			for (const {id, kind} of session.state().items) {
				expect(kind).toBe('review');
				session.decide(id, 'feedback', 'say more');
			}

			const first = session.agent('AGT-001').turn.number;
			for (let round = 0; round < 3 * most; round++) {
				const [effect] = session.owed().effects;
				if (effect?.do === 'start') {
					const {turn} = effect;
					session.tell(
						...quietOutcome(session.state(), effect),
						ended('AGT-001', turn, {by: 'lost'}),
						supervisorStarted(),
					);
				} else if (effect !== undefined) {
					session.tell(...quietOutcome(session.state(), effect).map(unchanged));
				}
			}

			expect(session.agent('AGT-001').turn.number).toBeLessThanOrEqual(first + most);
			expect(session.item('limit').of).toBe('turns');
			session.decide('l-1', 'extend');
			session.work();
			expect(session.agent('AGT-001')).toMatchObject({state: 'RUNNING', turn: {phase: 'live'}});
			expect(session.agent('AGT-001').delivered.map(({text}) => text)).toEqual(
				first === 0 ? [] : ['say more'],
			);
		},
	);

	it('has nobody asked about an agent whose work was seen to grow in its turn', () => {
		const session = working(['AGT-001']);
		for (let turn = 1; turn <= 3 * most; turn++) {
			session.tell(snapshotTaken(session.state(), 'AGT-001', 'a minute of change'));
			dies(session);
		}

		expect([turnsOf(session), session.kinds()]).toEqual([3 * most + 1, []]);
	});
});

it('hundreds of turns that change files ask nobody', () => {
	const session = working(['AGT-001'], {plan: {supervision: 'semi-autonomous'}});
	for (let turn = 1; turn <= 300; turn++) {
		session.says('AGT-001', banner);
		session.ends('AGT-001');
		session.work();
	}

	expect([session.agent('AGT-001').turn.number, session.kinds()]).toEqual([301, []]);
});

it('a word to an agent has its turns counted anew, and one to another agent does not', () => {
	const session = working(['AGT-001', 'AGT-002']);
	const inVain = () => session.state().agents.map(({turnsInVain}) => turnsInVain);
	expect(inVain()).toEqual([1, 1]);
	session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'message', text: 'x'}});
	expect(inVain()).toEqual([0, 1]);
	session.says('AGT-002', banner);
	session.decide(session.item('checkpoint').id, 'continue');
	expect(inVain()).toEqual([0, 0]);
});
