import {describe, expect, it} from 'vitest';
import {checkedText, reportText} from '../../../src/client/texts/report/content.ts';
import {reportHtml} from '../../../src/client/texts/report/report-html.ts';
import {type Report, reportOf} from '../../../src/rules/report/report.ts';
import {accepted, type Given, planned, saying, working} from '../../helpers/given.ts';
import {build, checked, publish} from '../../helpers/merging.ts';
import {subtask} from '../../helpers/plan.ts';

const now = '2026-01-01T01:00:00.000Z';

const reported = (session: Given): Report => {
	const report = reportOf(session.events(), agent =>
		agent === 'AGT-001' ? {tokens: 1200, cost: {USD: 0.5}} : undefined,
	);
	if (report === undefined) {
		throw new Error('nothing is reported');
	}

	return report;
};

const merged = (): Given => {
	const session = checked(['AGT-001', 'AGT-002']);
	session.decide('a-1', 'approve', 'well done');
	publish(session);
	return session;
};

describe('the report of a session', () => {
	it('is none where none has begun', () => {
		expect(reportOf([], () => undefined)).toBeUndefined();
	});

	it('tells what was merged: the tree that was checked, and whose work it is', () => {
		const {session, merges, checks} = reported(merged());
		expect(session).toMatchObject({status: 'COMPLETE', target: 'main'});
		expect(merges).toMatchObject([{what: 'merged', checked: true, agents: ['AGT-001', 'AGT-002']}]);
		expect(merges[0]?.tree).toBeDefined();
		expect(checks).toMatchObject([{ok: true, commit: merges[0]?.commit}]);
	});

	it('says of agents whose merge was taken back that it was', () => {
		const session = merged();
		const [{commit = ''} = {}] = reported(session).merges;
		session.tell({kind: 'merge.undone', commit, from: commit, to: 'the commit before'});
		const {agents} = reported(session);
		expect(agents.map(({why}) => why)).toEqual([
			'its merge was taken back',
			'its merge was taken back',
		]);
	});

	it('calls nothing checked where the plan has no check', () => {
		const session = accepted(['AGT-001', 'AGT-002']);
		build(session);
		session.tell({
			...{kind: 'verify.ended', commit: 'result', tree: 'tree of result', ok: true},
			...{commands: [], log: null},
		});
		session.decide('a-1', 'approve');
		publish(session);
		const [merge] = reported(session).merges;
		expect(merge).not.toHaveProperty('checked');
		expect(checkedText(merge?.checked)).toBe('not checked');
	});

	it('tells every decision, with what it was about when it was taken', () => {
		expect(reported(merged()).decisions).toMatchObject([
			{item: 'p-1', choice: 'approve', by: 'user'},
			{item: 'r-1', choice: 'merge', title: expect.stringContaining('Finished')},
			{item: 'r-2', choice: 'merge'},
			{item: 'a-1', choice: 'approve', note: 'well done'},
		]);
	});

	it('tells of each agent how it went, and what it has used up where it told', () => {
		const [one, other] = reported(merged()).agents;
		expect(one).toMatchObject({id: 'AGT-001', state: 'MERGED', turns: 1, tokens: 1200});
		expect(one?.moves.map(({to}) => to)).toEqual(['SPAWNING', 'RUNNING', 'COMPLETE', 'MERGED']);
		expect(one?.waitedMs).toBeGreaterThan(0);
		expect(other).not.toHaveProperty('tokens');
	});

	it('has a table of what all brought: results where there are some, and else what was told of the work', () => {
		const session = working(['AGT-001', 'AGT-002']);
		const table =
			'| Topic | Status | Path | Summary |\n|---|---|---|---|\n| Auth | done | a.md | x |\n';
		session.says('AGT-001', `${table}{"status": "ok", "artifacts": [{"path": "b.md"}]}\n`);
		session.says(
			'AGT-002',
			'TITLE: Cache\nCREATED: c.md\nSUMMARY: Small\n[FINDING]\nfinding: F\n[/FINDING]\n',
		);
		const report = reported(session);
		expect(report.agents[1]).toMatchObject({
			findings: ['F'],
			results: [{topic: 'Cache', status: 'running', path: 'c.md', summary: 'Small'}],
		});
		const rows = reportText(report, now)
			.split('\n')
			.filter(line => line.startsWith('| AGT-'));
		expect(rows.map(row => row.replaceAll(/\s+/g, ' ')).slice(-3)).toEqual([
			'| AGT-001 | Auth | done | a.md | x |',
			'| AGT-001 | | ok | b.md | |',
			'| AGT-002 | Cache | running | c.md | Small |',
		]);
	});

	it('counts what was asked', () => {
		const session = saying(
			'[CLARIFICATION_NEEDED]\nquestions: [A?, B?]\n[/CLARIFICATION_NEEDED]\n',
		);
		expect(reported(session).agents[0]).toMatchObject({questions: 2});
	});

	it('counts what was asked at a checkpoint, in a file and by a name, each once', () => {
		const session = saying(`---
AGENT CHECKPOINT: AGT-001
---
Status: IN_PROGRESS
## Questions
- Per user?
---
QUESTION_ESCALATED: limits
`);
		expect(reported(session).agents[0]).toMatchObject({questions: 2});
	});

	it('tells how many of the checkpoints were blockers', () => {
		const session = saying('[STOP_WORK]\ndetails: no disk\n[/STOP_WORK]\n');
		const report = reported(session);
		expect(report.agents[0]).toMatchObject({checkpoints: 1, blockers: 1});
		expect(reportText(report, now)).toContain('1 checkpoint (1 blocker), 0 questions');
	});
});

describe('words of others', () => {
	const hostile = '<script>alert(1)</script> | *x* `y` \x1b]0;z\x07';
	const session = (): Given =>
		planned([{...subtask('AGT-001'), subtask: hostile}], {plan: {task: hostile}});

	it('are no Markdown and no HTML in the text, and nothing to a terminal', () => {
		const text = reportText(reported(session()), now);
		expect(text).not.toMatch(/(?<!\\)<script/);
		expect(text).not.toMatch(/(?<!\\)\*x/);
		expect(text).not.toContain('\x1b');
		expect(text).toContain(String.raw`\<script\>`);
	});

	it('are no tags on the page', () => {
		const page = reportHtml(reported(session()), now);
		expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; | *x* `y` ␛]0;z␇');
		expect(page).not.toContain('<script');
		expect(page).not.toMatch(/https?:|src=|href=/);
	});
});
