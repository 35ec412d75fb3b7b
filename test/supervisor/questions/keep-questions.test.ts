import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it, test} from 'vitest';
import {replyBlock} from '../../../src/agents/resume/reply-block.ts';
import {worktreePath} from '../../../src/git/store/worktree-path.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {recordsOf} from '../../../src/rules/question-record.ts';
import {temporaryFolder} from '../../helpers/repository.ts';
import {makeQuestionRoom, type QuestionRoom} from './question-room.ts';

const ask = (fields: string): string =>
	`[CLARIFICATION_NEEDED]\n${fields}\n[/CLARIFICATION_NEEDED]\n`;

const auth =
	'questions: [{id: auth, question: Which auth?, options: [oauth, jwt]}]\ncurrent_state: 3 of 9';

/** A room in which the agent asked; the name of its file without the ending. */
const asking = async (fields = auth) => {
	const room = await makeQuestionRoom();
	room.given.says('AGT-001', ask(fields));
	await room.look();
	return {room, name: `${room.given.state().session?.session}_AGT-001_q-1`};
};

const lastDecision = ({given}: QuestionRoom) =>
	given.events().findLast(({kind}) => kind === 'user.decided');

describe('a question that an agent says', () => {
	it('lies in a file until it is answered, from wherever that is', async () => {
		const {room, name} = await asking();
		expect(room.json(`questions/pending/${name}.json`)).toMatchObject({
			question: 'Which auth?',
			options: ['oauth', 'jwt'],
			asked_by: 'AGT-001',
			checkpoint: join(room.home, 'workflows', `${name}_checkpoint.json`),
			current_state: '3 of 9',
		});
		room.given.decide('q-1', 'jwt');
		await room.look();
		expect(room.names('questions/pending')).toEqual([]);
		expect(room.json(`questions/answered/${name}.json`)).toMatchObject({
			question: 'Which auth?',
			answer: 'jwt',
			answered_by: 'user',
			path: 'quick',
		});
	});

	it('is answered by a file, which is known for one, and whose it is', async () => {
		const {room, name} = await asking();
		room.put(`answers/${name}.txt`, 'JWT\n');
		await room.look();
		expect(lastDecision(room)).toMatchObject({
			item: 'q-1',
			choice: 'jwt',
			by: 'file',
			owner: process.getuid?.(),
		});
		expect(room.names('answers')).toEqual(['rejected']);
		expect(room.given.agent('AGT-001').replies).toMatchObject([{text: 'jwt'}]);
	});

	it('has a checkpoint once its agent let go, with the answer in the end', async () => {
		const {room, name} = await asking();
		const checkpoint = `workflows/${name}_checkpoint.json`;
		expect(room.has(checkpoint)).toBe(false);
		room.given.ends('AGT-001');
		await room.look();
		expect(room.json(checkpoint)).toMatchObject({
			completed_steps: ['3 of 9'],
			user_answer: null,
			workflow_type: 'delegate-tui',
		});
		room.put(`answers/${name}.txt`, 'oauth\n');
		await room.look();
		expect(room.json(checkpoint)).toMatchObject({user_answer: 'oauth'});
	});

	it('is told once, and has one line in the audit log, however often a supervisor comes', async () => {
		const {room, name} = await asking();
		await room.restart();
		room.put(`answers/${name}.txt`, 'oauth\n');
		await room.restart();
		// As if the supervisor had died before it took the answer away.
		room.put(`answers/${name}.txt`, 'oauth\n');
		await room.restart();
		const decisions = room.given.events().filter(({kind}) => kind === 'user.decided');
		expect(decisions.filter(event => 'item' in event && event.item === 'q-1')).toHaveLength(1);
		expect(room.given.agent('AGT-001').replies).toHaveLength(1);
		expect(room.names('answers')).toEqual(['rejected']);
		expect(room.text('audit/questions.log')).toMatch(
			new RegExp(`^\\S+ \\| ${name} \\| Which auth\\? \\| oauth \\| \\d+s \\| quick\n$`),
		);
	});
});

test('ten answers in files that are of no use are kept with the reason, and the question stands', async () => {
	const {room, name} = await asking('questions: [{question: Which port?, type: number}]');
	const path = join(room.home, 'answers', `${name}.txt`);
	const long = new Date(Date.now() - 60_000);
	const written = (content: string | Uint8Array): void => {
		writeFileSync(path, content);
		utimesSync(path, long, long);
	};
	const bad: readonly (readonly [() => void, string])[] = [
		[() => written(''), 'The answer is empty.'],
		[() => written(' \n\n'), 'The answer is empty.'],
		[() => written('many\n'), '"many" is not a number.'],
		[() => written('8080 or 8081'), '"8080 or 8081" is not a number.'],
		[
			() => written(new Uint8Array([0xff, 0xfe, 0x38])),
			'The answer can’t be used: it is not UTF-8 text.',
		],
		[() => written('8080\0'), 'The answer can’t be used: it is not UTF-8 text.'],
		[() => written('8'.repeat(70_000)), 'The answer can’t be used: it is longer than 65536 bytes.'],
		[() => symlinkSync('/etc/hostname', path), 'The answer can’t be used: it is not a file.'],
		[() => mkdirSync(path), 'The answer can’t be used: it is not a file.'],
		[() => execFileSync('mkfifo', [path]), 'The answer can’t be used: it is not a file.'],
	];
	for (const [index, [put, why]] of bad.entries()) {
		put();
		await room.look();
		expect(room.given.item('question').rejected).toBe(why);
		const kept = index === 0 ? `${name}.txt` : `${name}.txt.${index + 1}`;
		expect(room.text(`answers/rejected/${kept}.reason`)).toBe(`${why}\n`);
		expect(room.names('answers')).toEqual(['rejected']);
	}

	expect(room.names('answers/rejected')).toHaveLength(20);
	written('8080\n');
	await room.look();
	expect(lastDecision(room)).toMatchObject({choice: '8080', by: 'file'});
});

describe('a file for something else', () => {
	it('answers no item that is no question', async () => {
		const room = await makeQuestionRoom();
		room.given.says('AGT-001', '[STOP_WORK]\ndetails: no disk\n[/STOP_WORK]\n');
		await room.look();
		const name = `${room.given.state().session?.session}_AGT-001_b-1`;
		room.put(`answers/${name}.txt`, 'abort\n');
		await room.look();
		expect(room.given.kinds()).toEqual(['blocker']);
		expect(room.text(`answers/rejected/${name}.txt.reason`)).toBe(
			'This session asks no question with that name.\n',
		);
		expect(room.given.ask({kind: 'decide', item: 'b-1', choice: 'abort', by: 'file'})).toBe(
			'A file answers questions, and decides nothing else.',
		);
	});

	it('that came too late is told with the answer that counts', async () => {
		const {room, name} = await asking();
		room.given.decide('q-1', 'jwt');
		await room.look();
		room.put(`answers/${name}.txt`, 'oauth\n');
		await room.look();
		expect(room.text(`answers/rejected/${name}.txt.reason`)).toBe(
			'q-1 was answered already: jwt\n',
		);
	});

	it('of other sessions and tools is left alone', async () => {
		const room = await makeQuestionRoom();
		await room.look();
		const others = {
			'questions/pending/workflow_1_q1.json': '{"question": "Whose?", "workflow_id": "workflow_1"}',
			'questions/pending/DEL-0_AGT-001_q-1.json': '{"question": "Whose?"}',
			'questions/pending/..json': '{"question": "Whose?"}',
			'answers/workflow_1_q1.txt': 'mine\n',
			'answers/DEL-0_AGT-001_q-1.txt': '',
		};
		for (const [place, content] of Object.entries(others)) {
			room.put(place, content);
		}

		await room.look();
		expect(room.given.kinds()).toEqual([]);
		for (const [place, content] of Object.entries(others)) {
			expect(room.text(place)).toBe(content);
		}
	});
});

describe('a question that an agent writes into a file', () => {
	const workflow = 'workflow_1';
	const checkpoint = (room: QuestionRoom): string => join(room.home, `${workflow}_checkpoint.json`);

	const inFile = async (more: Record<string, unknown> = {}) => {
		const room = await makeQuestionRoom();
		await room.look();
		const fields = {
			question: 'Which auth?',
			options: ['oauth', 'jwt'],
			workflow_id: workflow,
			checkpoint: checkpoint(room),
			asked_by: 'reviewer',
			directory: worktreePath(room.agentFolder),
			...more,
		};
		room.put('questions/pending/workflow_1_q1.json', JSON.stringify(fields));
		await room.look();
		return room;
	};

	it('is asked, and its answer handed over in a file, which the agent takes', async () => {
		const room = await inFile();
		expect(room.given.item('question')).toMatchObject({
			agent: 'AGT-001',
			file: {id: 'workflow_1_q1', owner: process.getuid?.()},
		});
		expect(room.given.agent('AGT-001').spokeAt).toBeUndefined();
		room.given.decide('q-1', 'oauth');
		await room.look();
		expect(room.text('answers/workflow_1_q1.txt')).toBe('oauth\n');
		expect(room.has('questions/pending/workflow_1_q1.json')).toBe(true);
		room.take('answers/workflow_1_q1.txt');
		room.take('questions/pending/workflow_1_q1.json');
		await room.look();
		expect(room.given.agent('AGT-001').replies).toEqual([]);
		expect(room.json('questions/answered/workflow_1_q1.json')).toMatchObject({answer: 'oauth'});
		expect(room.given.events().at(-1)).toMatchObject({kind: 'reply.delivered', items: ['q-1']});
	});

	it('is answered in a file for both, the agent and us', async () => {
		const room = await inFile();
		room.put('answers/workflow_1_q1.txt', 'JWT\n');
		await room.look();
		expect(lastDecision(room)).toMatchObject({choice: 'jwt', by: 'file'});
		expect(room.text('answers/workflow_1_q1.txt')).toBe('jwt\n');
	});

	it('and leaves to a person names in its item what is wrong with the checkpoint that it goes on by', async () => {
		const room = await inFile();
		const filesOf = () =>
			inbox(room.given.state()).flatMap(item => ('files' in item ? item.files : []));
		expect(filesOf()).toEqual([]);
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		await room.look();
		const rest = `Cannot resume workflow. It is ${checkpoint(room)}.`;
		expect(filesOf()).toEqual([`ERROR: Checkpoint file missing. ${rest}`]);
		room.put(`${workflow}_checkpoint.json`, 'half');
		await room.look();
		expect(filesOf()).toEqual([
			`ERROR: Checkpoint file unreadable (it is not a JSON object). ${rest}`,
		]);
		room.put(`${workflow}_checkpoint.json`, '{}');
		await room.look();
		expect(filesOf()).toEqual([]);
	});

	it('and leaves to a person with a checkpoint that is missing goes on without being sent there', async () => {
		const room = await inFile();
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		await room.look();
		room.given.decide('q-1', 'oauth');
		const told = room.given.agent('AGT-001').replies.map(replyBlock).join('\n');
		expect(told).toContain('oauth');
		expect(told).not.toContain('Resume workflow from checkpoint');
	});

	it('that it takes back while it works is asked no more', async () => {
		const room = await inFile();
		room.take('questions/pending/workflow_1_q1.json');
		await room.look();
		expect(room.given.kinds()).toEqual([]);
		expect(recordsOf(room.given.events())).toMatchObject([{closed: {how: 'gone'}}]);
	});

	it('and then leaves to a person waits for them, and goes on from its checkpoint', async () => {
		const room = await inFile();
		writeFileSync(checkpoint(room), JSON.stringify({workflow_id: workflow, user_answer: null}));
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		room.given.ends('AGT-001');
		await room.look();
		expect(room.given.kinds()).toEqual(['question']);
		room.given.decide('q-1', 'oauth');
		await room.look();
		expect(room.json(`${workflow}_checkpoint.json`)).toEqual({
			workflow_id: workflow,
			user_answer: 'oauth',
		});
		expect(room.names('questions/pending')).toEqual([]);
		expect(room.given.agent('AGT-001').replies).toMatchObject([
			{escalated: true, checkpoint: checkpoint(room), text: 'oauth'},
		]);
	});

	it('together with others leaves all their answers in its checkpoint, each by its name', async () => {
		const questions = ['port', 'host'].map(id => ({id, question: `Which ${id}?`}));
		const room = await inFile({question: undefined, options: undefined, questions});
		writeFileSync(checkpoint(room), JSON.stringify({workflow_id: workflow, user_answer: null}));
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		room.given.ends('AGT-001');
		room.given.decide('q-2', 'example.org');
		await room.look();
		room.given.decide('q-1', '80');
		await room.look();
		expect(room.json(`${workflow}_checkpoint.json`)).toEqual({
			workflow_id: workflow,
			user_answer: 'port: 80\nhost: example.org',
		});
	});

	it('is told again when the answer crossed with its leaving', async () => {
		const room = await inFile();
		room.given.decide('q-1', 'oauth');
		await room.look();
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		room.given.ends('AGT-001');
		await room.look();
		expect(room.names('answers')).toEqual(['rejected']);
		expect(room.given.agent('AGT-001').replies).toMatchObject([{text: 'oauth', escalated: true}]);
		expect(room.given.keys()).toEqual(['start:AGT-001:2']);
	});

	it('that names nobody is asked once its agent leaves it by name', async () => {
		const room = await inFile({directory: null, checkpoint: '/tmp/workflow_1_checkpoint.json'});
		expect(room.given.kinds()).toEqual([]);
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		await room.look();
		expect(room.given.state().items).toMatchObject([
			{id: 'q-1', question: {question: 'Which auth?'}, escalated: true, holds: true},
		]);
	});

	it('writes no answer into a file that is not the checkpoint of its workflow', async () => {
		const other = join(temporaryFolder(), 'settings.json');
		writeFileSync(other, '{"workflow_id": "another"}');
		const room = await inFile({checkpoint: other});
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		room.given.decide('q-1', 'oauth');
		await room.look();
		expect(room.given.state().questionFiles).toEqual([]);
		expect(JSON.parse(execFileSync('cat', [other], {encoding: 'utf8'}))).toEqual({
			workflow_id: 'another',
		});
	});

	it('writes no answer into a file where neither of them names a workflow', async () => {
		const other = join(temporaryFolder(), 'settings.json');
		writeFileSync(other, '{"model": "x"}');
		const room = await inFile({checkpoint: other, workflow_id: undefined});
		room.given.says('AGT-001', 'QUESTION_ESCALATED:workflow_1_q1\n');
		room.given.decide('q-1', 'oauth');
		await room.look();
		expect(readFileSync(other, 'utf8')).toBe('{"model": "x"}');
	});

	it('may hold several, which are handed over together', async () => {
		const questions = [
			{id: 'q1', question: 'Which auth?', options: ['oauth', 'jwt']},
			{id: 'q2', question: 'Which port?', type: 'number'},
		];
		const room = await inFile({
			question: undefined,
			options: undefined,
			questions,
			all_required: true,
		});
		room.put('answers/workflow_1_q1_q2.txt', '8080\n');
		await room.look();
		expect(room.has('answers/workflow_1_q1.txt')).toBe(false);
		room.given.decide('q-1', 'jwt');
		await room.look();
		expect(room.text('answers/workflow_1_q1.txt')).toBe('q1: jwt\nq2: 8080\n');
	});
});

test('folders that can’t be written are told once, and nothing else suffers', async () => {
	const home = join(temporaryFolder(), 'home');
	writeFileSync(home, 'in the way');
	const room = await makeQuestionRoom(home);
	room.given.says('AGT-001', ask(auth));
	await room.look();
	await room.look();
	expect(room.given.state().questionFiles).toEqual([
		`Questions can’t be kept as files: Cannot write to ${home}/questions/pending: ENOTDIR: not a directory, mkdir '${home}/questions/pending'.`,
	]);
	expect(room.given.events().filter(({kind}) => kind === 'machine.questions')).toHaveLength(1);
	room.given.decide('q-1', 'jwt');
});

test('a pipe in place of the audit log is told of, and holds up neither answers nor later questions', async () => {
	const room = await makeQuestionRoom();
	await room.look();
	mkdirSync(join(room.home, 'audit'), {recursive: true});
	execFileSync('mkfifo', [join(room.home, 'audit/questions.log')]);
	room.given.says('AGT-001', ask(auth));
	room.given.decide('q-1', 'jwt');
	await room.look();
	expect(room.given.state().questionFiles).toEqual([
		expect.stringContaining('is not a file: a pipe'),
	]);
	room.given.says('AGT-001', ask(auth));
	await room.look();
	expect(room.names('questions/pending')).toContainEqual(expect.stringMatching(/_q-2\.json$/));
});

test('an answer that is still being written is waited for, and its line end is its end', async () => {
	const {room, name} = await asking('questions: [{question: Which colour?}]');
	const path = join(room.home, 'answers', `${name}.txt`);
	writeFileSync(path, 'light');
	await room.look();
	expect(lastDecision(room)).toMatchObject({item: 'p-1'});
	writeFileSync(path, 'light blue');
	const long = new Date(Date.now() - 60_000);
	utimesSync(path, long, long);
	await room.look();
	expect(lastDecision(room)).toMatchObject({choice: 'light blue'});
	const other = await asking('questions: [{question: Which colour?}]');
	other.room.put(`answers/${other.name}.txt`, 'light blue\n');
	await other.room.look();
	expect(lastDecision(other.room)).toMatchObject({choice: 'light blue'});
});

test('folders that somebody removed are recreated, with what still waits in them', async () => {
	const {room, name} = await asking();
	for (const folder of ['questions', 'answers', 'audit']) {
		rmSync(join(room.home, folder), {recursive: true});
	}

	await room.look();
	expect(room.given.state().questionFiles).toEqual([]);
	expect(room.json(`questions/pending/${name}.json`)).toMatchObject({question: 'Which auth?'});
	room.put(`answers/${name}.txt`, 'jwt\n');
	await room.look();
	expect(lastDecision(room)).toMatchObject({choice: 'jwt', by: 'file'});
	expect(room.text('audit/questions.log')).toContain('| jwt |');
});
