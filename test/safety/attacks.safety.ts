import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readJournal} from '../../src/journal/read.ts';
import {inbox} from '../../src/rules/inbox.ts';
import {agent, type PlanParts} from '../helpers/plan-file.ts';
import {makeProject, program, projectAt} from '../helpers/project.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {openProgram} from '../helpers/terminal.ts';
import {times} from './figures.ts';

/** Lets one of the attacks have its way until its work waits for a review. */
const attacked = async (attack: string, plan: Partial<PlanParts> = {}): Promise<Session> => {
	const {root} = makeProject({
		'.gitignore': '*.log\n',
		'readme.md': 'hello\n',
		'src/check.sh': 'echo fine\n',
	});
	const project = projectAt(root, {env: {SSH_AUTH_SOCK: '/run/keys'}});
	mkdirSync(join(root, '.git/my-hooks'));
	git(root, 'config', 'core.hooksPath', '.git/my-hooks');
	const runtime = project.environment.TMPDIR ?? '';
	const words = [root, project.state, process.execPath, program, runtime];
	return startSession({...plan, agents: [agent(`attacks/${attack}.sh`, words)]}, project, {
		limitMs: 2 * 60_000,
	});
};

test.each([
	['hides-by-rule', /left out because its own ignore rule hides it: src\/secret\.js/],
	['adds-by-force', /left out because your ignore rules match it.*: src\/made\.log/],
	['commits-on-target', /main has moved .* by 1 commit .* Evil: Nothing to see here/],
	[
		'redirects-fetch',
		/fetch\.prune in \.git\/config and remote\.origin\.fetch in \.git\/config have changed/,
	],
	['switches-away', /is on evil and not on main/],
	['plants-a-hook', /\bpost-checkout\b/],
	['cuts-history', /\bshallow\b/],
	[
		'changes-what-runs',
		/src\/AGENTS\.md changes what runs by itself.*\n.*src\/binding\.gyp.*\n.*src\/check\.sh/,
	],
	['writes-elsewhere', /Written in your checkout while agents were at work.*: readme\.md\./],
	['goes-too-deep', /path is too long|longer than/],
] as const)('what %s does is named at the approval, in JSON and in text', async (attack, told) => {
	await using session = await attacked(attack, {verify: ['sh src/check.sh']});
	await session.accept('AGT-001');
	const {notes} = await session.until('an approval that tells of it', ({state}) => {
		const item = inbox(state).find(item => item.kind === 'approval');
		return item?.notes === undefined ? undefined : item;
	});
	expect(notes?.join('\n')).toMatch(told);
	expect((await session.project.run('inbox')).stdout).toContain('worth a look');
});

test('what is hidden between escape sequences stands in the diff and in the name of its file', async () => {
	await using session = await attacked('hides-in-escapes');
	await session.item('review', 'AGT-001');
	using terminal = openProgram(session.project, ['diff', 'AGT-001'], {columns: 120, rows: 40});
	await terminal.exits();
	expect(terminal.text()).toContain('+/*␛]0;*/ evil(); /*␇*/');
	expect(terminal.text()).toContain(String.raw`src/out\302\233.js`);
});

test('what stands at the end of a very long diff is there to be read', async () => {
	await using session = await attacked('hides-at-the-end');
	await session.item('review', 'AGT-001');
	const {stdout} = await session.project.run('diff', 'AGT-001');
	expect(stdout.trimEnd()).toMatch(/evil\(\)$/);
});

test('a file that is too long to be shown hides no other, and is named wherever its work waits', async () => {
	await using session = await attacked('hides-behind-length');
	const review = await session.item('review', 'AGT-001');
	const named = /Too long to be shown on the screen: src\/a\.json \(\+21000 −0\)/;
	expect((review.notes ?? []).join('\n')).toMatch(named);
	expect((await session.project.run('inbox')).stdout).toMatch(named);
	using screen = openProgram(session.project, [], {columns: 120, rows: 60});
	await screen.until(review.title);
	await screen.typeUntil('i\r', '3 files, +21002 −0');
	expect(screen.text()).toMatch(/✓ src\/z\.js\s/);
	expect(screen.text()).not.toContain('not changed');
	expect(screen.text()).toMatch(/\+ src\/check\.sh {2}changed, but not said/);
	await screen.typeUntil('G', /\+21000 −0 +src\/a\.json/);
	expect(screen.text()).toContain('+ evil()');
	await screen.typeUntil('m', 'src/a.json (+21000 −0). Accept it anyway?');
	await session.accept('AGT-001');
	const approval = await session.item('approval');
	expect(approval.notes?.join('\n')).toMatch(named);
	expect(approval.files).toBe(3);
});

test.each([
	['merges-itself', ['other-state', 'no-marks', 'other-namespace']],
	['cleans-up', ['clean', 'set-aside']],
	['trusts-itself', ['yes', 'no-marks', 'other-namespace']],
] as const)('what %s asks of our own commands is refused', async (attack, tries) => {
	await using session = await attacked(attack);
	await session.item('review', 'AGT-001');
	const {stdout: patch} = await session.project.run('diff', 'AGT-001');
	const told = tries.filter(name => patch.includes(`src/${name}.txt`));
	expect(told).toContain(tries[0]);
	expect(patch.match(/^\+exit 1$/gm)).toHaveLength(told.length);
	expect(
		patch.match(/This is for people|can’t see which process asks|another namespace/g),
	).toHaveLength(told.length);
	expect(session.events('user.decided').map(({item}) => item)).toEqual(['p-1']);
	expect(git(session.project.root, 'log', '--format=%s', 'main')).not.toContain('Evil');
});

test('code of an agent is given no keys by the check, before anybody approved it', async () => {
	await using session = await attacked('asks-for-keys', {verify: ['sh src/check.sh']});
	await session.accept('AGT-001');
	const {log} = await session.item('approval');
	expect(readFileSync(join(session.folder.path, log?.path ?? ''), 'utf8')).toContain(
		'keys: none, protocol.allow: never',
	);
});

test('a session to which an agent removed the way is answered all the same', async () => {
	await using session = await attacked('cuts-the-way');
	const review = await session.item('review', 'AGT-001');
	const {code} = await session.project.run('answer', review.id, 'merge');
	expect(code).toBe(0);
	await session.item('approval');
});

test('an agent that removes the lock of a supervisor leaves one that writes, and its journal whole', async () => {
	await using session = await attacked('cuts-the-lock');
	await session.event('supervisor.started', ({seq}) => seq > 5);
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
	expect((await readJournal(session.folder.journal)).end).toEqual({kind: 'whole'});
	expect(session.events('turn.ended').map(({end}) => end.by)).toEqual(['lost', 'exit']);
});

test.runIf(times({part: 0, deep: 1}) > 0)(
	'a file that is bigger than git compares is reverted like any other out of the scope',
	async () => {
		await using session = await attacked('writes-too-much');
		const {files} = await session.item('review', 'AGT-001');
		expect(files).toBe(1);
		expect(session.events('scope.left')).toMatchObject([{path: 'big.bin', change: 'added'}]);
	},
);
