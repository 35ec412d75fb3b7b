import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {
	createLastSessionStore,
	type FollowedSession,
	type FoundSession,
	type LastSessionStore,
} from '../../../src/client/store/last-session-store.ts';
import {openJournal} from '../../../src/journal/writer.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {untilPublished} from './until.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures/journals');

/** A repository's folder, into which sessions can be put. */
const repository = () => {
	const home = temporaryFolder();
	let last: FoundSession | undefined;
	const put = (id: string, fixture: string): void => {
		const journal = join(home, id, 'journal');
		mkdirSync(join(home, id));
		cpSync(resolve(fixtures, fixture), journal, {recursive: true});
		last = {id, journal, environments: async () => ({})};
		writeFileSync(join(home, `${id}.begun`), '');
	};

	let supervised = false;
	const store = createLastSessionStore({
		home,
		find: async known => (last?.id === known ? undefined : last),
		isSupervised: () => supervised,
	});
	onTestFinished(store.close);
	return {
		home,
		put,
		store,
		supervise: () => {
			supervised = true;
			writeFileSync(join(home, 'lock'), '');
		},
	};
};

/** Settles as soon as the store publishes what is wanted. */
const until = (store: LastSessionStore, isSo: (session: FollowedSession) => boolean) =>
	untilPublished(store.subscribe, store.session, isSo);

const hasEnded = ({state}: FollowedSession): boolean => state.session?.ended !== undefined;

test('a session is followed once it begins, and the next one once that has ended', async () => {
	const {put, store} = repository();
	expect(store.session().state.session).toBeNull();
	put('DEL-1', 'questions-and-checkpoints');
	await until(store, hasEnded);
	const first = store.session();
	expect(first.records.length).toBeGreaterThan(0);
	put('DEL-2', 'stopped');
	await until(store, session => hasEnded(session) && session.state !== first.state);
	expect(store.session().state.session?.plan).not.toEqual(first.state.session?.plan);
});

test('a supervisor that comes is told, and so is a journal that goes', async () => {
	const {home, put, store, supervise} = repository();
	put('DEL-1', 'questions-and-checkpoints');
	await until(store, hasEnded);
	supervise();
	await until(store, ({isSupervised}) => isSupervised);
	rmSync(join(home, 'DEL-1'), {recursive: true});
	await until(store, ({trouble}) => trouble !== undefined);
	expect(store.session().trouble).toContain('is gone, so it can’t be followed.');
});

test('a long journal is shown once it is read to its end, and not as it was on the way', async () => {
	const {home, put, store} = repository();
	const [begun, ...rest] = readFileSync(
		join(fixtures, 'questions-and-checkpoints', '000001.ndjson'),
		'utf8',
	)
		.split('\n')
		.filter(line => line.includes('"kind"'))
		.map(line => JSON.parse(line));
	// The first piece that is read ends behind the first event.
	const task = 'x'.repeat(1024 ** 2 - JSON.stringify(begun).length - 1000);
	const padded = {...begun, plan: {...begun.plan, task}};
	const journal = await openJournal({folder: join(home, 'long', 'journal'), session: 'DEL-1'});
	await journal.append([padded, ...rest].map(({seq, crc, ...body}) => body));
	await journal.close();
	const shown = new Set<number>();
	store.subscribe(() => shown.add(store.session().state.seq));
	put('DEL-1', join(home, 'long', 'journal'));
	await until(store, hasEnded);
	expect([...shown].filter(seq => seq > 0)).toEqual([store.session().state.seq]);
});
