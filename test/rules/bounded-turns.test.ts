import fc from 'fast-check';
import {expect, it} from 'vitest';
import type {AgentOrder} from '../../src/events/agent-order.ts';
import type {Body, Event, TurnEnd} from '../../src/events/event.ts';
import {asFailure} from '../../src/lib/failure.ts';
import type {Effect} from '../../src/rules/effects/effect.ts';
import {inbox} from '../../src/rules/inbox.ts';
import type {Agent} from '../../src/state/agent/agent.ts';
import {isLive} from '../../src/state/select.ts';
import {order} from '../helpers/any-parts.ts';
import {where} from '../helpers/delivered.ts';
import {banner, type Given, hear, report, starting} from '../helpers/given.ts';
import {scopeLeft, supervisorStarted} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';
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

	if (whim.oneIn(30)) {
		crash(walk);
	} else if (whim.oneIn(20) && session.timer('') !== undefined) {
		ring(walk);
	} else {
		const one = whim.among(next);
		tell(walk, ...('do' in one ? outcomeOf(walk, one) : [walk.act(one)]));
	}

	return true;
};

const outcomeOf = ({session, whim}: Walk, effect: Effect): readonly Body[] => {
	const [state, events] = [session.state(), session.events()];
	try {
		return behaviourOf(whim).outcome(effect, {state, events, tip: 'base', moveTip: () => {}});
	} catch (error) {
		const {kind, message} = asFailure(error);
		return [{kind: 'effect.failed', effect: effect.key, message, final: kind !== 'internal'}];
	}
};

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
				return;
			}

			ring(walk);
		}
	}
};

/** A person decides something, or steers an agent; what is refused is no word. */
const say = (walk: Walk): void => {
	const {session, whim, tried} = walk;
	const items = inbox(session.state());
	if (items.length > 0 && !whim.oneIn(3)) {
		const {id: item, kind, choices} = whim.among(items);
		const choice = whim.among([...choices.map(({choice}) => choice), 'any text']);
		const refusal = session.refusal(item, choice, {
			note: 'a note',
			subtask: subtask(`AGT-${100 + session.events().length}`),
			seen: {tip: 'base', files: [{path: 'a.txt', entry: null}], marked: []},
		});
		if (refusal === undefined) {
			tried.add(`${kind} ${choice.replace(/:.*/, '')}`);
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
	'conflict sequential, conflict arbiter',
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

		wander({session: started(whim), whim, act, hear: failsOnce(), tried, heard: 0});
	});
	for (let seed = 1; seed <= 2 || resuming.some(word => !tried.has(word)); seed++) {
		expect(seed, `tried: ${[...tried].join(', ')}`).toBeLessThan(20);
		fc.assert(walks, {seed, numRuns: 100, endOnFailure: true});
	}
});
