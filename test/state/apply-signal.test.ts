import {describe, expect, it} from 'vitest';
import {inbox} from '../../src/rules/inbox.ts';
import {measuredBy, resultFacts, summedUp} from '../../src/state/agent/awaiting.ts';
import {claimed} from '../../src/state/agent/claimed.ts';
import {heldBackText, mostOpenQuestions} from '../../src/state/select.ts';
import {sessionText} from '../../src/supervisor/documents/registry.ts';
import {asking, completed, report, saying, stopWork, working} from '../helpers/given.ts';
import {scopeLeft} from '../helpers/happened.ts';
import {subtask} from '../helpers/plan.ts';
import {snapshotTaken} from '../helpers/quiet-outcome.ts';

const checkpoint = (sections: string): string =>
	`═════════════════════\nAGENT CHECKPOINT: AGT-001\n═════════════════════\n${sections}\n═════════════════════\n`;

const delegate = (independence: string): string =>
	`[DELEGATE_WORK]\nnew_task_description:\n  - Set up Redis\n  - Check its health\nindependence: ${independence}\n[/DELEGATE_WORK]\n`;

const scopeRequest =
	'[SCOPE_REQUEST]\npaths: [src/server.ts]\nreason: mount it\n[/SCOPE_REQUEST]\n';

describe('a checkpoint', () => {
	it('is snapshotted, then stops the agent and asks a person', () => {
		const session = saying(checkpoint('Status: IN_PROGRESS\nProgress: 40%'));
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.keys()).toEqual([`snapshot:AGT-001:said:${session.state().seq}`]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.kinds()).toEqual(['checkpoint']);
		expect(session.agent('AGT-001')).toMatchObject({checkpoints: 1, progress: 40});
	});

	it.each([
		'Status: BLOCKED\n## Blockers\nNone',
		'Status: IN_PROGRESS\n## Blockers\nThe disk is full',
		'Status: COMPLETE\n## Blockers\nThe disk is full',
	])('that is blocked also opens a blocker: %s', sections => {
		const session = saying(checkpoint(sections));
		session.work();
		expect(session.kinds()).toEqual(['checkpoint', 'blocker']);
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
	});

	it('opens a question for each one it asks, in one group', () => {
		const session = working(['AGT-001']);
		const said = 'Status: IN_PROGRESS\n## Questions for Parent\n- Per user?\n- Per key?';
		session.says('AGT-001', checkpoint(said));
		expect(session.kinds()).toEqual(['checkpoint', 'question', 'question']);
		const groups = session.state().items.flatMap(item => ('group' in item ? [item.group] : []));
		expect(groups[0]).toBe(groups[1]);
	});

	it('counts as completion when its status is COMPLETE and nothing blocks', () => {
		const session = saying(checkpoint('Status: COMPLETE\nProgress: 100%\n## Request\nMERGE'));
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.kinds()).toEqual(['review']);
	});

	it.each(['CONTINUE', 'MERGE', 'HELP', 'ABORT'])(
		'that requests %s is decided by a person all the same',
		request => {
			const session = saying(checkpoint(`Status: IN_PROGRESS\n## Request\n${request}`));
			session.work();
			expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
			expect(session.item('checkpoint').said.request).toBe(request);
		},
	);
});

describe('a question', () => {
	it('is an item each, one group, and frees the turn', () => {
		const session = saying(asking('questions: [Which port?, Which host?]'));
		expect(session.state().items.map(({id}) => id)).toEqual(['q-1', 'q-2']);
		expect(session.agent('AGT-001').spokeAt).toBe(session.state().at);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('keeps where its agent stood, for the person and for the agent that goes on', () => {
		const session = saying(
			asking('blocked_at: the login\nquestions: [Port?]\ncurrent_state: 3 of 9'),
		);
		expect(inbox(session.state())).toMatchObject([
			{blocked_at: 'the login', current_state: '3 of 9'},
		]);
		session.decide('q-1', '8080');
		const workStatus = {blockedAt: 'the login', currentState: '3 of 9'};
		expect(session.agent('AGT-001').replies).toMatchObject([{text: '8080', workStatus}]);
	});

	it.each(['port', 'q-1'])(
		'that is left to a person by the name %s is parked, and the exit after it no end',
		name => {
			const session = saying(asking('questions: [{id: port, question: Port?, required: false}]'));
			session.says('AGT-001', `QUESTION_ESCALATED:${name}\n`);
			session.ends('AGT-001');
			expect(session.item('question')).toMatchObject({
				escalated: true,
				holds: true,
				deadline: session.events().findLast(({kind}) => kind === 'signal.said')?.at,
			});
			expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
			expect(session.keys()).toEqual([]);
			session.decide('q-1', '8080');
			expect(session.keys()).toEqual(['start:AGT-001:2']);
			expect(session.owed().effects).toMatchObject([{prompt: 'resume'}]);
		},
	);

	it('that nobody knows and is left to a person is asked by its name', () => {
		const session = saying('QUESTION_ESCALATED:workflow_2_q1\n');
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		expect(session.item('question').question.question).toBe(
			'ERROR: Question file missing for workflow_2_q1. It left that question to you.',
		);
		expect(session.owed().effects).toEqual([]);
	});

	it('needs the answer to every required one before the agent goes on', () => {
		const session = saying(asking('questions: [Which port?, Which host?]'));
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.decide('q-2', 'localhost');
		expect(session.keys()).toEqual([]);
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('of which any answer is enough lets the agent go on at the first, the rest later', () => {
		const session = saying(asking('questions: [Port?, Host?]\nall_required: false'));
		session.ends('AGT-001');
		session.decide('q-1', '8080');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.kinds()).toEqual(['question']);
		session.decide('q-2', 'localhost');
		session.ends('AGT-001');
		expect(session.agent('AGT-001').replies.map(({item}) => item)).toEqual(['q-2']);
		expect(session.keys()).toEqual(['start:AGT-001:3']);
	});

	it('that is optional holds nobody up beside one that is answered', () => {
		const session = working(['AGT-001']);
		const optional = '\n  - {id: host, question: Host?, required: false}';
		session.says('AGT-001', asking(`questions:\n  - {id: port, question: Port?}${optional}`));
		session.ends('AGT-001');
		session.decide('q-1', '8080');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});
});

describe('work to delegate', () => {
	it('is asked for one by one while its asker, snapshotted, goes on', () => {
		const session = saying(delegate('can_proceed_parallel'));
		session.work();
		expect(session.kinds()).toEqual(['delegation', 'delegation']);
		expect(session.agent('AGT-001').snapshots).toHaveLength(1);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
	});

	it('that blocks the asker stops it until all of it is decided, and the other agent’s work is there', () => {
		const session = saying(delegate('blocks_current_work'));
		session.work();
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('CHECKPOINT');
		session.decide('d-1', 'approve', undefined, {subtask: subtask('AGT-002')});
		expect(session.agent('AGT-002')).toMatchObject({requestedBy: 'AGT-001', state: 'SPAWNING'});
		expect(session.keys()).toEqual(['prepare:AGT-002']);
		session.decide('d-2', 'reject', 'do it yourself');
		expect(session.keys()).toEqual(['prepare:AGT-002']);
		expect(session.agent('AGT-001')).toMatchObject({
			awaits: [{agent: 'AGT-002'}],
			replies: [{heading: 'DELEGATION REJECTED'}],
		});
	});

	it('that blocks nothing does not keep the asker from completing', () => {
		const session = saying(delegate('can_proceed_parallel'));
		session.finishes('AGT-001');
		session.work();
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		expect(session.kinds()).toEqual(['delegation', 'delegation', 'review']);
	});
});

describe('a completion', () => {
	it.each([report('success'), 'WORKFLOW_COMPLETE\n'])(
		'is reviewed once the turn is over and snapshotted: %s',
		said => {
			const session = saying(said);
			expect(session.stateOf('AGT-001')).toBe('RUNNING');
			session.ends('AGT-001');
			expect(session.stateOf('AGT-001')).toBe('COMPLETE');
			expect(session.agent('AGT-001').progress).toBe(100);
			expect(session.agent('AGT-001').snapshots.at(-1)?.reason).toBe('exit:1');
			expect(session.kinds()).toEqual(['review']);
		},
	);

	it.each([
		['partial', 'reported partial completion'],
		['failed', 'reported failure'],
	] as const)('that is %s is a failure that says so', (status, why) => {
		const session = saying(report(status));
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('FAILED');
		expect(session.item('failure').why).toBe(why);
	});

	it('keeps the report for the review', () => {
		const session = working(['AGT-001']);
		const fields = 'status: success\ndeliverables: [src/a.ts]\nrecommendations: [Add a board]';
		session.says('AGT-001', `[COMPLETION_REPORT]\n${fields}\n[/COMPLETION_REPORT]\n`);
		expect(session.agent('AGT-001').report).toMatchObject({
			deliverables: ['src/a.ts'],
			recommendations: ['Add a board'],
		});
	});
});

describe('what only informs', () => {
	it.each([
		['CREATED: src/a.ts\n', {updates: {created: ['src/a.ts']}}],
		['TITLE: Auth\n', {updates: {title: 'Auth'}}],
		['SUMMARY: All is well\n', {updates: {summary: {value: 'All is well'}}}],
		['STATUS: waiting\n', {updates: {status: 'waiting'}}],
		['COUNT: 15\n', {updates: {counts: [15]}}],
		['ERROR: FILE_NOT_FOUND - no plan\n', {errors: 1}],
		['PROGRESS: Research - Analyzed 15/30 files\n', {progress: 50, updates: {phase: 'Research'}}],
		['CHECKPOINT: Planning complete\n', {}],
		['{"status": "failed", "metrics": {"retries": 3}}\n', {}],
		['COVERAGE: 94\n', {}],
	])('is kept, moves no state and opens no item: %j', (said, kept) => {
		const session = working([subtask('AGT-001', {expect: ['COVERAGE']})]);
		const before = session.events().length;
		session.says('AGT-001', said);
		expect(session.events().at(-1)?.kind).toBe('signal.said');
		expect(session.events()).toHaveLength(before + 1);
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.kinds()).toEqual([]);
		expect(session.keys()).toEqual([]);
		expect(session.agent('AGT-001')).toMatchObject(kept);
	});

	it('is a signal that can’t be read, which the next prompt tells of', () => {
		const session = saying('[STOP_WORK]\nblocker_type: x\n[/STOP_WORK]\n');
		expect(session.kinds()).toEqual([]);
		expect(session.agent('AGT-001').malformed).toHaveLength(1);
		session.ends('AGT-001');
		expect(session.agent('AGT-001').malformed).toHaveLength(1);
		session.work();
		expect(session.agent('AGT-001').malformed).toEqual([]);
	});

	it('is a path outside the scope: it never fails an agent', () => {
		const session = working(['AGT-001']);
		session.tell(scopeLeft('README.md'));
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.kinds()).toEqual([]);
		expect(session.agent('AGT-001').violations).toEqual([{path: 'README.md', refused: false}]);
	});
});

describe('the identity of an agent', () => {
	it('is the pipe it speaks through, whatever it claims to be', () => {
		const session = saying('[STOP_WORK]\nagent_id: AGT-002\ndetails: x\n[/STOP_WORK]\n', [
			'AGT-001',
			'AGT-002',
		]);
		expect(session.item('blocker').agent).toBe('AGT-001');
	});

	it('that is unknown says nothing', () => {
		const session = completed(['AGT-001']);
		const before = session.state();
		const signal = {kind: 'workflow_complete', line: 1} as const;
		session.tell({kind: 'signal.said', agent: 'AGT-009', turn: 1, signal, offset: 0});
		expect(session.state()).toEqual({
			...before,
			...{seq: before.seq + 1, at: session.state().at, awake: session.state().awake},
		});
	});
});

describe('what an agent says after a person gave it up', () => {
	/** One that is ended while it starts: its turn comes to life for a moment all the same. */
	const givenUp = () => {
		const session = saying(stopWork, ['AGT-001', 'AGT-002']);
		session.decide('b-1', 'abort');
		return session;
	};

	it.each([
		asking('questions: [Which port?]'),
		stopWork,
		delegate('can_proceed_in_parallel'),
		scopeRequest,
		checkpoint('Status: BLOCKED\nProgress: 40%'),
		report('success'),
	])('asks nobody for anything: %s', said => {
		const session = givenUp();
		session.says('AGT-001', said);
		session.tell({
			kind: 'permission.asked',
			agent: 'AGT-001',
			turn: 1,
			request: 'AGT-001/1/1',
			title: 'rm',
			paths: [],
		});
		expect(session.kinds()).toEqual([]);
		expect(session.keys().filter(key => !key.startsWith('snapshot:'))).toEqual([
			'end-turn:AGT-001:1',
		]);
	});

	it('still informs', () => {
		const session = givenUp();
		session.says('AGT-001', 'PROGRESS: cleaning up - 1/2');
		expect(session.agent('AGT-001').updates).toMatchObject({phase: 'cleaning up'});
	});

	it('is no matter of its time either', () => {
		const session = givenUp();
		session.pass('limit:AGT-001');
		expect(session.kinds()).toEqual([]);
		session.work();
		expect(session.stateOf('AGT-001')).toBe('ABORTED');
	});

	it('is no matter once the session is being stopped', () => {
		const session = working(['AGT-001']);
		session.ask({kind: 'stop'});
		session.says('AGT-001', asking('questions: [Which port?]'));
		expect(session.kinds()).toEqual([]);
		session.work();
		expect(session.state().session?.ended).toBeDefined();
	});
});

describe('very many questions', () => {
	const many = (from: number, count: number): string => {
		const questions = Array.from({length: count}, (_, index) => `  - Question ${from + index}?`);
		return asking(`questions:\n${questions.join('\n')}`);
	};

	it('are put to a person up to a number, and the agent is told of the others once', () => {
		const session = saying(many(1, 15));
		session.says('AGT-001', many(16, 15));
		session.says('AGT-001', many(31, 5));
		expect(session.kinds()).toEqual(Array.from({length: mostOpenQuestions}, () => 'question'));
		expect(session.agent('AGT-001').replies).toMatchObject([
			{about: 'Question 21?', text: heldBackText},
		]);
	});

	it('can be asked again when others are answered', () => {
		const session = saying(many(1, mostOpenQuestions));
		session.decide('q-1', 'once');
		session.says('AGT-001', asking('questions:\n  - One more?'));
		expect(session.state().items.at(-1)).toMatchObject({question: {question: 'One more?'}});
	});
});

describe('an agent that ends its turn well without a report', () => {
	const standard = 'CREATED: src/a.ts\nTITLE: Auth\nSUMMARY: All is well\nSTATUS: complete\n';
	const json = '{"status": "success", "artifacts": [{"path": "src/b.ts", "title": "B"}]}\n';

	it.each([
		[standard, 'STATUS: complete'],
		['SUMMARY: All is well\nSTATUS: Complete.\n', 'STATUS: complete'],
		[json, 'a JSON result'],
		[
			`STATUS: in progress\n${json}| Topic | Status | Path | Summary |\n|--|--|--|--|\n| a | open | b | c |\n`,
			'a JSON result',
		],
	])('is done by what it answered, and its review says so: %j', (said, form) => {
		const session = saying(said);
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('COMPLETE');
		const review = session.item('review');
		expect(inbox(session.state()).find(({id}) => id === review.id)).toMatchObject({
			ended: `reported completion by ${form}`,
		});
	});

	it.each([
		'STATUS: complete\n',
		`${standard}STATUS: waiting for the tests\n`,
		`${standard}{"status": "failed", "metrics": {"retries": 3}}\n`,
		'CREATED: src/a.ts\nSUMMARY: All is well\n',
	])('is reminded where that does not say that it is done: %j', said => {
		const session = saying(said);
		session.ends('AGT-001');
		expect(session.stateOf('AGT-001')).toBe('RUNNING');
		expect(session.keys()).toEqual(['start:AGT-001:2']);
	});

	it('is asked for its failure all the same where its turn did not end well', () => {
		const session = saying(standard);
		session.ends('AGT-001', {by: 'exit', code: 3});
		expect(session.stateOf('AGT-001')).toBe('FAILED');
	});

	it('has said nothing of that for the turn after it', () => {
		const session = saying(standard);
		session.ends('AGT-001');
		session.decide(session.item('review').id, 'feedback', 'more');
		session.work();
		session.ends('AGT-001');
		expect(session.keys()).toEqual(['start:AGT-001:3']);
	});

	it('claims the files that it named', () => {
		const session = saying(`${standard}${json}`);
		expect(claimed(session.agent('AGT-001')).map(({path}) => path)).toEqual([
			'src/a.ts',
			'src/b.ts',
		]);
	});

	it('claims them beside the deliverables of its report, and what isn’t there is handed on as not found', () => {
		const report =
			'[COMPLETION_REPORT]\nstatus: success\ndeliverables: ["src/c.ts: the code"]\n[/COMPLETION_REPORT]\n';
		const session = saying(`${standard}${report}`);
		expect(claimed(session.agent('AGT-001')).map(({path}) => path)).toEqual([
			'src/c.ts',
			'src/a.ts',
		]);
		session.tell({
			...snapshotTaken(session.state(), 'AGT-001', 'test'),
			claims: [
				{claim: 'src/c.ts', holds: true},
				{claim: 'src/a.ts', holds: false, found: 'missing'},
			],
		});
		const agent = session.agent('AGT-001');
		expect(Object.fromEntries(resultFacts(agent))).toMatchObject({
			Path: 'src/c.ts',
			Found: 'src/c.ts',
			'Said, but not found': 'src/a.ts',
		});
		expect(summedUp(agent)).toMatchObject([{topic: 'Auth', path: 'src/c.ts: the code'}]);
		expect(sessionText(session.state(), [], '###')).toContain('- **Output**: src/c.ts: the code\n');
	});
});

describe('metrics of a result', () => {
	it('may be a list, which is kept whole', () => {
		const metrics = [
			{name: 'p99', value: 0.5, unit: 'ms'},
			{name: 'coverage', value: '91 %'},
		];
		const session = saying(
			`${JSON.stringify({status: 'ok', metrics})}\n{"status": "ok", "artifacts": []}\n`,
		);
		expect(measuredBy(session.agent('AGT-001'))).toEqual(metrics);
	});
});

describe('what is said again', () => {
	it('is one result and one created file', () => {
		const said =
			'CREATED: a.md\n{"status": "success", "artifacts": [{"path": "a.md", "title": "A"}]}\n';
		const session = saying(`${said}Once more:\n${said}CREATED: b.md\n`);
		const [item] = session.state().agents;
		expect(item?.updates.created).toEqual(['a.md', 'b.md']);
		expect(item?.updates.results).toMatchObject([{status: 'success'}]);
	});
});
