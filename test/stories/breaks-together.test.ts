import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, type PlannedAgent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {git, script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

/** Each work is fine, and so are two of them but for the first and the last. */
const check =
	"if grep -qsx 'first try' src/one.txt && grep -qsx 'first try' src/three.txt; then echo 'not ok 1 (src/three.txt:1)'; exit 1; fi";

test('of three agents the two are named whose work breaks together, and only they are sent back', async () => {
	await using session = await startSession({
		agents: [
			agent('takes-feedback.sh', ['src/one.txt']),
			agent('edits.sh', ['src/two.txt', 'two']),
			agent('takes-feedback.sh', ['src/three.txt']),
		],
		verify: [check],
	});
	const {root} = session.project;
	await session.accept('AGT-001', 'AGT-002', 'AGT-003');
	await session.item('verify');
	const failed = await session.until('the two to be named', () => {
		const item = session.state().items.find(({kind}) => kind === 'verify');
		return item && session.events('part.checked').length === 8 ? item : undefined;
	});
	const checked = session.events('part.checked');
	// How many are checked at a time depends on the machine.
	expect(checked.map(({agents, outcome}) => `${agents.join('+')} ${outcome}`).toSorted()).toEqual([
		' green',
		'AGT-001 green',
		'AGT-001+AGT-002 green',
		'AGT-001+AGT-002+AGT-003 red',
		'AGT-001+AGT-003 red',
		'AGT-002 green',
		'AGT-002+AGT-003 green',
		'AGT-003 green',
	]);
	expect(new Set(checked.map(({tree}) => tree)).size).toBe(8);
	const shown = await session.item('verify');
	expect(shown).toMatchObject({
		failing: [{path: 'src/three.txt', line: 1}],
		attribution: {
			verdict: 'agents',
			sets: [{agents: ['AGT-001', 'AGT-003'], isSure: true}],
			conflicts: [
				{
					type: 'TEST_CONFLICT',
					agents: ['AGT-001', 'AGT-003'],
					evidence: [{path: 'src/three.txt', line: 1}],
					changed: [
						{agent: 'AGT-001', path: 'src/one.txt', line: 1, text: 'first try'},
						{agent: 'AGT-003', path: 'src/three.txt', line: 1, text: 'first try'},
					],
				},
			],
		},
	});

	expect(failed.id).toBe(shown.id);
	await session.answer(shown, 'feedback', 'Agree with each other');
	await session.accept('AGT-001', 'AGT-003');
	const approval = await session.item('approval');
	await session.approve();
	expect(git(root, 'show', 'main:src/one.txt')).toMatch(
		/AGT-001 and AGT-003 together break it; each alone is green\..*Agree with each other/,
	);
	expect(session.events('turn.started').map(({agent: id}) => id)).toHaveLength(5);
	const [published] = session.events('merge.published');
	expect(published).toMatchObject({tree: approval.tree, checked: 'passed'});
	expect(git(root, 'rev-parse', 'main^{tree}')).toBe(approval.tree);
});

test('a lock file that only the merge puts out of step fails before the plan’s own checks, and is charged to both', async () => {
	const lock = {first: 1, packages: {a: {}, b: {}, c: {}, d: {}, e: {}}, last: 1};
	const {root, aside} = makeProject({'package-lock.json': JSON.stringify(lock, null, '\t')});
	const bin = join(aside, 'bin');
	script(
		join(bin, 'npm'),
		`grep -q '"first": 2' package-lock.json && grep -q '"last": 2' package-lock.json && exit 1; exit 0`,
	);
	const project = projectAt(root, {aside, env: {PATH: `${bin}:${process.env.PATH}`}});
	const bumps = (name: string): PlannedAgent => ({
		subtask: `Bump ${name}`,
		scope: {allowed: ['**']},
		agent: {
			protocol: 'text',
			command: [
				...['bash', '-c'],
				`cat > /dev/null; sed 's/"${name}": 1/"${name}": 2/' package-lock.json > new && mv new package-lock.json; printf 'CREATED: package-lock.json\\nSTATUS: complete\\n'`,
			],
		},
	});
	await using session = await startSession(
		{agents: [bumps('first'), bumps('last')], verify: ['true']},
		project,
	);
	await session.accept('AGT-001', 'AGT-002');
	await session.until('all parts to be checked', () =>
		session.events('part.checked').length === 4 ? true : undefined,
	);
	const {title} = await session.item('verify');
	expect(title).toContain(
		'`npm ci --dry-run --ignore-scripts --no-audit --no-fund` exited with code 1',
	);
	expect(title).toContain('AGT-001 and AGT-002 together break it');
});
