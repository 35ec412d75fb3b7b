import {renameSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {followCommand} from '../../src/cli/agent/carried-out.ts';
import {followCheck} from '../../src/cli/commands/answer.ts';
import type {Here} from '../../src/cli/here.ts';
import type {Event} from '../../src/events/event.ts';
import {openRepository} from '../../src/git/repository/repository.ts';
import {openJournal} from '../../src/journal/writer.ts';
import {repositoryFolder} from '../../src/supervisor/folder.ts';
import {accepted, type Given, working} from '../helpers/given.ts';
import {collide} from '../helpers/merging.ts';
import {makeRepository, temporaryFolder} from '../helpers/repository.ts';

const id = 'DEL-20260101T000000000Z';

/** Writes down what a session in memory has heard, and then what it hears of a test. */
const written = async (session: Given) => {
	const repository = await openRepository(makeRepository({'readme.md': 'hello\n'}));
	const here: Here = {repository, folder: repositoryFolder(temporaryFolder(), repository.id)};
	const folder = here.folder.session(id);
	const journal = await openJournal({folder: folder.journal, session: id});
	onTestFinished(() => journal.close());
	let told = 0;
	const write = async (): Promise<void> => {
		const news = session.events().slice(told);
		told += news.length;
		await journal.append(news.map(({seq: _, ...body}) => body));
	};
	await write();
	return {here, last: {id, folder, state: session.state(), fault: undefined}, write};
};

const decided = (session: Given, choice: string): Event => {
	const found = session
		.events()
		.findLast(event => event.kind === 'user.decided' && event.choice === choice);
	if (found === undefined) {
		throw new Error(`Nobody has decided ${choice}.`);
	}

	return found;
};

/** A session in which a command is run for a blocked agent, and somebody waits for its end. */
const awaitingCommand = async () => {
	const session = working(['AGT-001']);
	session.says('AGT-001', '[STOP_WORK]\ndetails: no disk\n[/STOP_WORK]\n');
	session.ends('AGT-001');
	const before = session.state();
	session.decide('b-1', 'run', 'npm ci');
	const {here, last, write} = await written(session);
	const blocked = {...last, state: before};
	const ended = followCommand(here, blocked, decided(session, 'run'), () => {});
	return {session, write, ended, last};
};

/** A session in which the outcome of a choice is checked, and somebody waits for what comes of it. */
const awaitingCheck = async () => {
	const session = accepted(['AGT-001', 'AGT-002']);
	collide(session, {a: ['AGT-001'], b: ['AGT-002']});
	session.decide('c-1', 'check:choose-one:AGT-001');
	const {here, last, write} = await written(session);
	const {seq} = decided(session, 'check:choose-one:AGT-001');
	return {session, write, ended: followCheck(here, last.folder, {item: 'c-1', since: seq}), seq};
};

test('who waits for a command is let go when its agent is stopped from elsewhere', async () => {
	const {session, write, ended} = await awaitingCommand();
	expect(session.ask({kind: 'steer', agent: 'AGT-001', order: {verb: 'stop'}})).toBeUndefined();
	await write();
	expect(await ended).toBe(null);
});

test('a command that went well is told although its blocker is gone by it', async () => {
	const {session, write, ended} = await awaitingCommand();
	session.work();
	await write();
	expect(await ended).toMatchObject({kind: 'command.ended', code: 0});
});

test('who waits for a command is told that the folder of the session is gone', async () => {
	const {ended, last} = await awaitingCommand();
	renameSync(last.folder.path, join(temporaryFolder(), 'elsewhere'));
	await expect(ended).rejects.toMatchObject({
		kind: 'missing',
		message: expect.stringContaining('is gone'),
	});
});

test('a conflict that is put off is checked all the same', async () => {
	const {session, write, ended, seq} = await awaitingCheck();
	session.decide('c-1', 'snooze');
	await write();
	const of = {conflict: 'c-1', choice: 'choose-one:AGT-001', since: seq};
	const nothing = {put: null, tree: null, commands: [], log: null, left: []};
	session.tell({kind: 'outcome.checked', ...of, ...nothing, outcome: 'unclear'});
	await write();
	expect(await ended).toMatchObject({kind: 'outcome.checked', since: seq});
});

test.each([
	['choose-one:AGT-002', 'c-1 is no longer open'],
	['check:choose-one:AGT-002', 'choose-one:AGT-002 is checked instead'],
	['check:none', 'it is no longer waited for'],
])('who waits for a check is told what became of it by %s', async (choice, why) => {
	const {session, write, ended} = await awaitingCheck();
	session.decide('c-1', choice);
	const told = expect(ended).rejects.toMatchObject({message: `The check was stopped: ${why}.`});
	await write();
	await told;
});
