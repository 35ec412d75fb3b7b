import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {scripted} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

const asks = () =>
	scripted(
		{
			steps: [
				{think: 'A port will be needed.'},
				{plan: [{content: 'Ask for the port', status: 'in_progress'}, {content: 'Write it down'}]},
				{write: {path: 'src/port/port.txt', text: 'unknown\n'}},
				{ask: {id: 'port', question: 'Which port?', options: ['80', '8080']}},
				{edit: {path: 'src/port/port.txt', find: 'unknown', replace: '{{port}}'}},
				{complete: {deliverables: ['src/port/port.txt']}},
			],
		},
		{scope: {allowed: ['src/port/**']}},
	);

const violates = () =>
	scripted(
		{
			steps: [
				{'leave-scope': {path: 'src/port/port.txt', text: 'mine'}},
				{'leave-scope': {path: 'readme.md', text: 'mine too', ask: false}},
				{write: {path: 'src/docs/guide.md', text: 'Guide\n'}},
				{checkpoint: {progress: 50, request: 'CONTINUE'}},
				{complete: {}},
			],
		},
		{scope: {allowed: ['src/docs/**']}},
	);

const runs = () =>
	scripted(
		{
			steps: [
				{run: 'git -C . push origin HEAD'},
				{run: 'mkdir -p src/build && echo built > src/build/out.txt'},
				{complete: {}},
			],
		},
		{scope: {allowed: ['src/build/**']}},
	);

test('three agents over ACP ask before they act, and their work is merged', async () => {
	await using session = await startSession({
		agents: [asks(), violates(), runs()],
		verify: ['cat src/port/port.txt src/docs/guide.md src/build/out.txt'],
	});
	await session.answer(await session.item('question', 'AGT-001'), '8080');

	const permission = await session.item('permission', 'AGT-003');
	expect(permission).toMatchObject({
		title: 'Wants to run: mkdir -p src/build && echo built > src/build/out.txt',
		command: 'mkdir -p src/build && echo built > src/build/out.txt',
	});
	expect(permission.choices.map(({choice}) => choice)).toEqual([
		...['once', 'always', 'always-all', 'refuse', 'abort'],
	]);
	expect(permission.choices[1]?.whyNot).toContain('Only a plain command');
	const {stdout} = await session.project.run('status', '--json');
	expect(JSON.parse(stdout).agents[2]).toMatchObject({state: 'RUNNING', waitingFor: permission.id});
	await session.answer(permission, 'once');

	await session.answer(await session.item('checkpoint', 'AGT-002'), 'continue');
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	const {code} = await session.approve();

	expect(code).toBe(0);
	const content = (path: string) => git(session.project.root, 'show', `main:${path}`);
	expect(content('src/port/port.txt')).toBe('8080');
	expect(content('src/docs/guide.md')).toBe('Guide');
	expect(content('src/build/out.txt')).toBe('built');
	expect(content('readme.md')).toBe('hello');
	expect(traces(session)).toEqual([
		['AGT-002', 'src/port/port.txt', 'refused', 'not allowed'],
		['AGT-002', 'readme.md', 'modified', 'not allowed'],
		['AGT-003', 'git push', 'refused', 'it reaches another machine'],
	]);
	expect(turnsOf(session, 'AGT-001')).toHaveLength(2);
	expect(new Set(turnsOf(session, 'AGT-001').map(({pid}) => pid)).size).toBe(1);
	expect(session.events('conversation.opened')).toHaveLength(3);
	expect(new Set(told(session, 'AGT-001'))).toEqual(
		new Set(['introduction', 'thought', 'plan', 'tool']),
	);
});

const traces = (session: Session) =>
	session
		.events('scope.left')
		.map(({agent, path, change, why}) => [agent, path, change, why])
		.toSorted(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));

const turnsOf = (session: Session, id: string) =>
	session.events('turn.started').filter(({agent}) => agent === id);

const told = ({folder}: Session, id: string): readonly string[] =>
	readFileSync(folder.telemetry, 'utf8')
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line))
		// What changed in a worktree is told as it is seen, soon or late.
		.filter(({agent, kind}) => agent === id && kind !== 'changed')
		.map(({kind}) => kind);
