import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {type QuestionHome, questionHome} from '../../../src/control/questions/home.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {ownFolders} from '../../../src/supervisor/questions/own-folders.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {makeQuestionRoom, type QuestionRoom} from './question-room.ts';

/*
Questions that agents write into folders of their own, which they see in the place of the common ones.
*/

const both = ['AGT-001', 'AGT-002'] as const;

/** Two agents asked in files of the same name, which say nothing of whose they are. */
const askedByBoth = async (more: Readonly<Record<string, unknown>> = {}) => {
	const room = await makeQuestionRoom(undefined, both);
	const first = await room.own('AGT-001');
	const second = await room.own('AGT-002');
	for (const home of [first, second]) {
		ask(home, {question: 'Which auth?', options: ['oauth', 'jwt'], ...more});
	}

	await room.look();
	return {room, first, second};
};

const ask = ({pending}: QuestionHome, fields: Readonly<Record<string, unknown>>): void =>
	writeFileSync(join(pending, 'workflow_1_q1.json'), JSON.stringify(fields));

const answerIn = ({answers}: QuestionHome): string | undefined => {
	const path = join(answers, 'workflow_1_q1.txt');
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

const renamed = ({given}: QuestionRoom): string =>
	`${given.state().session?.session}_AGT-002_own_workflow_1_q1`;

it('is asked by the agent whose folder it is, and lies where the person looks by a name of its own', async () => {
	const {room} = await askedByBoth();
	expect(room.given.state().items).toMatchObject([
		{agent: 'AGT-001', file: {id: 'workflow_1_q1', inner: 'workflow_1_q1'}},
		{agent: 'AGT-002', file: {id: renamed(room), inner: 'workflow_1_q1'}},
	]);
	expect(room.json('questions/pending/workflow_1_q1.json')).toEqual({
		question: 'Which auth?',
		options: ['oauth', 'jwt'],
		asked_by: 'AGT-001',
	});
	expect(room.json(`questions/pending/${renamed(room)}.json`)).toMatchObject({
		asked_by: 'AGT-002',
	});
});

it('is answered where the person answers, and only its agent gets it, under the name that it knows', async () => {
	const {room, first, second} = await askedByBoth();
	room.put(`answers/${renamed(room)}.txt`, 'jwt\n');
	await room.look();
	expect([answerIn(first), answerIn(second)]).toEqual([undefined, 'jwt\n']);
	expect(room.names('answers')).toEqual(['rejected']);
	expect(room.given.agent('AGT-002').replies).toMatchObject([{text: 'jwt'}]);
	rmSync(join(second.answers, 'workflow_1_q1.txt'));
	rmSync(join(second.pending, 'workflow_1_q1.json'));
	await room.look();
	expect(room.given.agent('AGT-002').replies).toEqual([]);
	expect(room.json(`questions/answered/${renamed(room)}.json`)).toMatchObject({answer: 'jwt'});
	expect(room.names('questions/pending')).toEqual(['workflow_1_q1.json']);
});

it('is answered by no file of an agent', async () => {
	const {room, first} = await askedByBoth();
	writeFileSync(join(first.answers, 'workflow_1_q1.txt'), 'oauth\n');
	writeFileSync(join(first.answers, `${renamed(room)}.txt`), 'oauth\n');
	await room.look();
	expect(room.given.kinds()).toEqual(['question', 'question']);
});

it('that its agent takes back is gone where the person looks as well', async () => {
	const {room, second} = await askedByBoth();
	rmSync(join(second.pending, 'workflow_1_q1.json'));
	await room.look();
	expect(room.given.state().items).toMatchObject([{agent: 'AGT-001'}]);
	expect(room.names('questions/pending')).toEqual(['workflow_1_q1.json']);
});

it('that is left to the person by its name has its answer in the checkpoint, where its agent sees it', async () => {
	const room = await makeQuestionRoom(undefined, both);
	const own = await room.own('AGT-002');
	const checkpoint = join(room.home, 'workflows', 'workflow_1.json');
	writeFileSync(join(own.workflows, 'workflow_1.json'), '{"workflow_id": "workflow_1"}');
	ask(own, {question: 'Which auth?', workflow_id: 'workflow_1', checkpoint});
	room.given.says('AGT-002', 'QUESTION_ESCALATED:workflow_1_q1\n');
	await room.look();
	room.given.ends('AGT-002');
	room.given.decide('q-1', 'jwt');
	await room.look();
	expect(JSON.parse(readFileSync(join(own.workflows, 'workflow_1.json'), 'utf8'))).toEqual({
		workflow_id: 'workflow_1',
		user_answer: 'jwt',
	});
	expect(room.given.agent('AGT-002').replies).toMatchObject([{checkpoint, text: 'jwt'}]);
	expect([readdirSync(own.pending), room.names('questions/pending')]).toEqual([[], []]);
});

it('that is left without a checkpoint has ours, where its agent sees it', async () => {
	const {room, second} = await askedByBoth();
	room.given.says('AGT-002', 'QUESTION_ESCALATED:workflow_1_q1\n');
	room.given.ends('AGT-002');
	room.given.decide('q-2', 'jwt');
	await room.look();
	const name = `${renamed(room)}_checkpoint.json`;
	const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
	expect(read(join(second.workflows, name))).toMatchObject({user_answer: 'jwt'});
	expect(room.json(`workflows/${name}`)).toMatchObject({user_answer: 'jwt'});
});

it('is told again when the answer crossed with its leaving, also under another name', async () => {
	const {room, second} = await askedByBoth();
	room.given.decide('q-2', 'oauth');
	await room.look();
	room.given.says('AGT-002', 'QUESTION_ESCALATED:workflow_1_q1\n');
	room.given.ends('AGT-002');
	await room.look();
	expect(answerIn(second)).toBeUndefined();
	expect(room.given.agent('AGT-002').replies).toMatchObject([{text: 'oauth', escalated: true}]);
});

it('is found by another supervisor as it stood, and asked once', async () => {
	const {room, second} = await askedByBoth();
	await room.restart();
	room.given.decide('q-2', 'oauth');
	await room.restart();
	expect(answerIn(second)).toBe('oauth\n');
	const asked = room.given.events().filter(({kind}) => kind === 'signal.said');
	expect(asked).toHaveLength(2);
});

it('is not looked for behind a link, and made possible again where an agent removed its folders', async () => {
	const room = await makeQuestionRoom(undefined, both);
	const {pending} = await room.own('AGT-001');
	const elsewhere = temporaryFolder();
	writeFileSync(join(elsewhere, 'secrets.json'), '{"question": "What is in it?"}');
	rmSync(pending, {recursive: true});
	symlinkSync(elsewhere, pending);
	await room.look();
	expect(room.given.kinds()).toEqual([]);
	expect(room.given.state().questionFiles).toEqual([]);
	rmSync(pending);
	await room.look();
	expect(existsSync(pending)).toBe(true);
	mkdirSync(join(pending, 'workflow_1_q1.json'));
	await room.look();
	expect(room.given.kinds()).toEqual([]);
});

it('covers what can be covered where the folders of all lie behind links or can’t be made', async () => {
	const [place, home] = [temporaryFolder(), temporaryFolder()];
	const linked = join(place, 'linked');
	symlinkSync(home, linked);
	symlinkSync(join(place, 'nowhere'), join(home, 'answers'));
	writeFileSync(join(home, 'audit'), 'in the way');
	const folder = repositoryFolder(temporaryFolder(), 'repository').session('DEL-1');
	const binds = await ownFolders(questionHome(linked), folder, 'AGT-001');
	const covered = [join(home, 'questions'), join(home, 'workflows'), folder.questions];
	expect(binds.map(({to}) => to)).toEqual(covered.map(path => realpathSync(path)));
	// Where the folder of all is hidden, an agent that saw its own one there could replace folders in it.
	const shutIn = await ownFolders(questionHome(linked), folder, 'AGT-001', true);
	expect(shutIn.map(({to}) => to)).toEqual(covered.slice(0, 2).map(path => realpathSync(path)));
});

it('begins a turn without the answers of an earlier one, which another question of that name would get', async () => {
	const {room, second} = await askedByBoth();
	room.given.decide('q-2', 'oauth');
	await room.look();
	expect(answerIn(second)).toBe('oauth\n');
	room.given.ends('AGT-002');
	await room.restart();
	await room.own('AGT-002');
	expect(answerIn(second)).toBeUndefined();
});

it('is neither looked for nor shown behind a link in the place of a folder that holds others', async () => {
	const room = await makeQuestionRoom(undefined, both);
	const own = await room.own('AGT-001');
	room.put('questions/pending/tool_1.json', '{"question": "Of another tool?"}');
	renameSync(join(own.path, 'questions'), join(own.path, 'aside'));
	symlinkSync(join(room.home, 'questions'), join(own.path, 'questions'));
	await room.look();
	expect(room.given.kinds()).toEqual([]);
	await room.own('AGT-001');
	expect(readdirSync(own.pending)).toEqual([]);
	expect(room.names('questions/pending')).toEqual(['tool_1.json']);
});

it('is no question of another session, whatever its agent calls it', async () => {
	const room = await makeQuestionRoom(undefined, both);
	const own = await room.own('AGT-001');
	const name = 'DEL-2_AGT-001_q-7';
	const fields = {question: 'Which auth?', workflow_id: name, checkpoint: `/tmp/${name}.json`};
	writeFileSync(join(own.pending, `${name}.json`), JSON.stringify(fields));
	await room.look();
	const [outside = ''] = room.names('questions/pending');
	expect(outside).toBe(`${room.given.state().session?.session}_AGT-001_own_DEL_2_AGT-001_q-7.json`);
	expect(room.json(`questions/pending/${outside}`)).toEqual({
		question: 'Which auth?',
		asked_by: 'AGT-001',
	});
});

it('is neither answered nor put away behind a link', async () => {
	const {room, second} = await askedByBoth();
	for (const name of ['questions', 'answers']) {
		renameSync(join(second.path, name), join(second.path, `old ${name}`));
		symlinkSync(join(room.home, name), join(second.path, name));
	}

	room.given.decide('q-2', 'jwt');
	await room.look();
	expect(room.names('answers')).toEqual(['rejected']);
	expect(room.given.state().items).toMatchObject([{agent: 'AGT-001'}]);
	room.given.ends('AGT-002');
	await room.look();
	expect(room.names('questions/pending')).toEqual(['workflow_1_q1.json']);
});

it('removes and writes nothing behind a link that its agent puts in the place of a folder after the answer', async () => {
	const {room, second} = await askedByBoth();
	room.given.decide('q-2', 'oauth');
	await room.look();
	expect(answerIn(second)).toBe('oauth\n');
	const elsewhere = temporaryFolder();
	writeFileSync(join(elsewhere, 'workflow_1_q1.txt'), 'a canary');
	for (const name of ['answers', 'workflows']) {
		renameSync(join(second.path, name), join(second.path, `old ${name}`));
		symlinkSync(elsewhere, join(second.path, name));
	}

	room.given.says('AGT-002', 'QUESTION_ESCALATED:workflow_1_q1\n');
	room.given.ends('AGT-002');
	await room.look();
	expect(readdirSync(elsewhere)).toEqual(['workflow_1_q1.txt']);
	expect(readFileSync(join(elsewhere, 'workflow_1_q1.txt'), 'utf8')).toBe('a canary');
});

it('changes no checkpoint elsewhere while its agent swaps the folder for a link', async () => {
	const room = await makeQuestionRoom();
	const own = await room.own('AGT-001');
	const elsewhere = temporaryFolder();
	const names = Array.from({length: 60}, (_, index) => `workflow_${index}`);
	mkdirSync(join(own.workflows, 'inside'));
	symlinkSync(elsewhere, join(own.workflows, 'link'));
	for (const name of names) {
		const text = JSON.stringify({workflow_id: name});
		const checkpoint = join(room.home, 'workflows/inside', `${name}.json`);
		writeFileSync(join(own.workflows, 'inside', `${name}.json`), text);
		writeFileSync(join(elsewhere, `${name}.json`), 'a canary');
		const fields = {question: name, workflow_id: name, checkpoint};
		writeFileSync(join(own.pending, `${name}_q1.json`), JSON.stringify(fields));
		room.given.says('AGT-001', `QUESTION_ESCALATED:${name}_q1\n`);
	}

	await room.look();
	room.given.ends('AGT-001');
	for (const {id} of room.given.state().items) {
		room.given.decide(id, 'yes');
	}

	const swap =
		'while :; do mv inside aside; mv -T link inside; mv -T inside link; mv aside inside; done';
	const agent = spawn('/bin/sh', ['-c', `${swap} 2>/dev/null`], {cwd: own.workflows});
	await room.look();
	agent.kill('SIGKILL');
	await once(agent, 'exit');
	const canaries = readdirSync(elsewhere).map(name => readFileSync(join(elsewhere, name), 'utf8'));
	expect(new Set(canaries)).toEqual(new Set(['a canary']));
});

it('is left to a person in a file that nobody can read as a question, which is said with its path', async () => {
	const room = await makeQuestionRoom(undefined, both);
	const {pending} = await room.own('AGT-001');
	const path = join(pending, 'workflow_1_q1.json');
	room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
	await room.look();
	const item = () => inbox(room.given.state())[0];
	const missing = 'ERROR: Question file missing for workflow_1_q1. It left that question to you.';
	expect(item()).toMatchObject({title: missing});
	writeFileSync(path, '{ half');
	await room.look();
	expect(item()).toMatchObject({
		title: 'It left the question workflow_1_q1 to you.',
		files: `ERROR: Question file for workflow_1_q1 can’t be read as a question. It is ${path}.`,
	});
});
