import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {Event} from '../../src/events/event.ts';
import {readJournal} from '../../src/journal/read.ts';
import {fold, isEvent} from '../../src/state/apply/apply.ts';
import {createFakeWorld, type FakeWorld} from '../helpers/fake-world.ts';
import {type Person, recordedPerson} from '../helpers/recorded-person.ts';
import {recordedBehaviour} from '../helpers/recorded-world.ts';

const folder = join(import.meta.dirname, '../../fixtures/journals');

const names = readdirSync(folder, {withFileTypes: true})
	.filter(entry => entry.isDirectory())
	.map(({name}) => name);

const read = async (name: string): Promise<readonly Event[]> => {
	const {entries, end} = await readJournal(join(folder, name));
	expect(end).toEqual({kind: 'whole'});
	expect(entries.every(isEvent)).toBe(true);
	return entries.filter(isEvent);
};

/** A recording with what its world and its person do, and how it ends. */
const recorded = async (name: string) => {
	const recording = await read(name);
	return {
		recording,
		behaviour: recordedBehaviour(recording),
		personAfter: recordedPerson(recording),
		end: endOf(recording),
	};
};

type Recorded = Awaited<ReturnType<typeof recorded>>;

/** More things than ever happen in one of these sessions. */
const maximumSteps = 1000;

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance']});
});

afterEach(() => {
	vi.useRealTimers();
});

describe('the recorded sessions', () => {
	it('are at least five, and tell of everything that can hold a session up', async () => {
		const events = (await Promise.all(names.map(read))).flat();
		const kinds = new Set(events.map(({kind}) => kind));
		const choices = events.flatMap(event =>
			event.kind === 'user.decided' ? [event.choice.replace(/:.*/, '')] : [],
		);
		expect(names.length).toBeGreaterThanOrEqual(5);
		expect(choices).toEqual(
			expect.arrayContaining(['choose-one', 'manual', 'done', 'sequential', 'abort', 'retry']),
		);
		expect([...kinds]).toEqual(
			expect.arrayContaining(['conflict.found', 'verify.ended', 'reply.delivered', 'scope.left']),
		);
	});
});

describe.each(names)('a crash after any event leads to the same end: %s', name => {
	it('with a world in which nothing happened after that event', async () => {
		const session = await recorded(name);
		for (let length = 1; length <= session.recording.length; length++) {
			const prefix = session.recording.slice(0, length);
			const end = await resume(session, prefix, tipAfter(prefix));
			expect(end, `after event ${length}`).toEqual(session.end);
		}
	});

	it('with a target that had moved already when the journal still only intended it', async () => {
		const session = await recorded(name);
		for (let length = 1; length <= session.recording.length; length++) {
			const prefix = session.recording.slice(0, length);
			const {merge} = fold(prefix);
			if (merge.phase === 'intended') {
				const end = await resume(session, prefix, merge.built.commit);
				expect(end, `after event ${length}`).toEqual(session.end);
			}
		}
	});

	it('also when the supervisor dies again and again, each time a little later', async () => {
		const session = await recorded(name);
		const prefix = session.recording.slice(0, 1);
		const world = await openWorld(session, prefix, tipAfter(prefix));
		let lived = 0;
		let lives = 1;
		await play(world, session.personAfter(prefix.length), async () => {
			lived++;
			if (lived > lives) {
				lived = 0;
				lives++;
				await world.crash();
			}
		});
		expect(lives).toBeGreaterThan(3);
		expect(endOf(world.events())).toEqual(session.end);
	});
});

const resume = async (session: Recorded, prefix: readonly Event[], tip: string) => {
	const world = await openWorld(session, prefix, tip);
	await play(world, session.personAfter(prefix.length));
	return endOf(world.events());
};

const openWorld = (
	{behaviour}: Recorded,
	prefix: readonly Event[],
	tip: string,
): Promise<FakeWorld> => {
	vi.setSystemTime(new Date(prefix.at(-1)?.at ?? 0));
	return createFakeWorld(prefix, behaviour, {tip});
};

/** Lets everything happen in order: first what is under way, then the person, and time only when nothing else is left. */
const play = async (
	world: FakeWorld,
	person: Person,
	afterEach: () => Promise<void> = async () => {},
): Promise<void> => {
	for (let steps = 0; !world.state().session?.ended; steps++) {
		const [step] = world.steps();
		if (steps > maximumSteps) {
			throw new Error(`It goes on and on: ${lastOf(world)}`);
		}

		if (step) {
			await world.take(step);
		} else if (!(await person(world)) && !(await world.ring())) {
			throw new Error(`Nothing can happen any more: ${lastOf(world)}`);
		}

		await afterEach();
	}

	world.close();
};

const lastOf = (world: FakeWorld): string =>
	JSON.stringify({items: world.state().items, last: world.events().slice(-8)}, null, 1);

const tipAfter = (events: readonly Event[]): string => {
	const tips = events.map(event => {
		switch (event.kind) {
			case 'session.started':
				return event.base;
			case 'target.moved':
				return event.to;
			case 'merge.published':
				return event.commit;
			default:
				return undefined;
		}
	});
	return tips.findLast(tip => tip !== undefined) ?? '';
};

/** Words for the end of a session that have changed since the journals were recorded. */
const newWords = new Map([['stopped by a person', 'a person ended it']]);

/** How a session ended, as far as a person would care. */
const endOf = (events: readonly Event[]) => {
	const {agents, session} = fold(events);
	return {
		agents: agents.map(({id, state}) => ({id, state})),
		ended: session?.ended && {
			status: session.ended.status,
			why: newWords.get(session.ended.why) ?? session.ended.why,
		},
		target: tipAfter(events),
		published: events.filter(({kind}) => kind === 'merge.published').length,
	};
};
