import {existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, utimesSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Plan} from '../../../src/events/plan.ts';
import {openRepository} from '../../../src/git/repository/repository.ts';
import {openStore} from '../../../src/git/store/store.ts';
import {wholeWorktree, worktreeTree} from '../../../src/git/worktree/snapshot/snapshot.ts';
import {Failure} from '../../../src/lib/failure.ts';
import {apply} from '../../../src/state/apply/apply.ts';
import type {State} from '../../../src/state/state.ts';
import {prepare} from '../../../src/supervisor/perform/prepare.ts';
import type {TelemetryEntry} from '../../../src/supervisor/telemetry.ts';
import {requireSession} from '../../../src/supervisor/world.ts';
import {installInsteadOfGit} from '../../helpers/instead-of-git.ts';
import {subtask} from '../../helpers/plan.ts';
import {snapshotTaken} from '../../helpers/quiet-outcome.ts';
import {commitAll, git, temporaryFolder, write} from '../../helpers/repository.ts';
import {makeSupervised} from '../world.ts';

const insteadOfGit = installInsteadOfGit();

/** A session in which an agent waits for its worktree. */
const makeWaiting = async (files: Record<string, string>, agents = [subtask('AGT-001')]) => {
	const {world, state} = await makeSupervised(files, {agents});
	const [agent] = state.agents;
	if (agent === undefined) {
		throw new Failure('internal', 'There is no agent.');
	}

	return {world, state, agent, ...world.folder.agent(agent.id)};
};

const withPlan = (state: State, plan: Partial<Plan>): State => {
	const session = requireSession(state);
	return {...state, session: {...session, plan: {...session.plan, ...plan}}};
};

test('an agent that comes after another one starts on that one’s work, which isn’t its own', async () => {
	const {world, state, agent, tree} = await makeWaiting({'a.txt': 'a\n', 'gone.txt': 'gone\n'}, [
		subtask('AGT-001', {after: ['AGT-002', 'AGT-003', 'AGT-004']}),
		...['AGT-002', 'AGT-003'].map(id => subtask(id)),
	]);
	const {base} = requireSession(state);
	const {root} = world.repository;
	git(root, 'checkout', '--quiet', '--detach');
	git(root, 'rm', '--quiet', 'gone.txt');
	write(root, {'a.txt': 'edited\n', 'new.txt': 'new\n'});
	const work = commitAll(root);
	const ready = {base, baseline: base, onto: [], conflicts: []};
	const worked = ['AGT-002', 'AGT-003'].reduce((known, id) => {
		const seen = {seq: known.seq + 1, at: known.at};
		const there = apply(known, {kind: 'workspace.prepared', agent: id, ...ready, ...seen});
		return apply(there, {...snapshotTaken(there, id, 'test'), work, ...seen});
	}, state);
	const given: State = {
		...worked,
		agents: worked.agents.map(one => (one.id === 'AGT-003' ? {...one, state: 'ABORTED'} : one)),
	};
	const [prepared] = await prepare(world, given, agent);
	expect(git(tree, 'ls-files', '--others', '--modified', '--deleted')).not.toBe('');
	expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('edited\n');
	expect(git(root, 'ls-tree', '-r', '--name-only', work)).toBe('a.txt\nnew.txt');
	expect(prepared).toMatchObject({
		...{kind: 'workspace.prepared', agent: 'AGT-001', conflicts: []},
		baseline: git(root, 'rev-parse', `${work}^{tree}`),
		onto: ['AGT-002', 'AGT-004'],
	});
});

test('how many files are checked out is told while they are, and enters no journal', async () => {
	const total = 2000;
	const names = Array.from({length: total}, (_, index) => `src/${index % 50}/${index}.txt`);
	const files = Object.fromEntries(names.map(name => [name, `${name}\n`]));
	const {world, state, agent} = await makeWaiting(files);
	const told: TelemetryEntry[] = [];
	// It waits two seconds otherwise before it tells any.
	insteadOfGit('worktree add', 'export GIT_PROGRESS_DELAY=0');
	const telemetry = {...world.telemetry, write: (entry: TelemetryEntry) => void told.push(entry)};
	const events = await prepare({...world, telemetry}, state, agent);
	expect(events.map(({kind}) => kind)).toEqual(['workspace.prepared']);
	const {turn, agent: id} = {turn: 0, agent: 'AGT-001'};
	const texts = told.flatMap(entry => ('text' in entry ? [`${entry.text}`] : []));
	expect(told).toEqual(texts.map(text => ({kind: 'preparing', text, turn, agent: id})));
	const done = texts
		.filter(text => text !== '')
		.map(text => {
			const [, there = ''] = /^checking out ([\d,]+) of 2,000 files$/.exec(text) ?? [];
			return Number(there.replace(',', ''));
		});
	expect(texts.at(-1)).toBe('');
	expect(done).toEqual(done.toSorted((one, other) => one - other));
	expect(done[0]).toBeGreaterThan(0);
	expect(done[0]).toBeLessThan(total / 10);
});

test('files are read again after their checkout only where git may convert them, and what setup changes in tracked ones is no work', async () => {
	const readAgain = async (files: Record<string, string>) => {
		const {world, state, agent, tree} = await makeWaiting({
			'a.sh': 'a\n',
			'b.txt': 'b\n',
			...files,
		});
		const marker = join(temporaryFolder(), 'read');
		insteadOfGit('update-index -q --refresh', `touch '${marker}'`);
		const setup = ['chmod +x a.sh', 'echo B >b.txt'];
		const [prepared] = await prepare(world, withPlan(state, {setup}), agent);
		const seed = prepared?.kind === 'workspace.prepared' ? prepared.baseline : '';
		const {index} = world.folder.agent(agent.id);
		expect(git(tree, 'diff', '--name-only')).toBe('a.sh\nb.txt');
		expect(await worktreeTree(world.store, {tree, index, seed})).toBe(seed);
		return existsSync(marker);
	};
	expect(await readAgain({})).toBe(false);
	const attributes = (...lines: readonly string[]) =>
		readAgain({'.gitattributes': lines.map(line => `${line}\n`).join('')});
	expect(await attributes('*.txt text')).toBe(false);
	expect(await attributes('* text=auto', '*.bat eol=crlf', '*.png filter=lfs')).toBe(false);
	expect(await attributes('*.txt ident')).toBe(true);
	expect(await attributes('# *.c ident', '*.ts diff=ts', '*.txt -ident')).toBe(false);
});

test.each([
	['* text eol=lf', 'autocrlf=false'],
	['* text=auto', 'autocrlf=false'],
	['*.txt text', 'autocrlf=false'],
	['* text=auto\n*.bat eol=crlf', 'autocrlf=false'],
	['*.txt eol=crlf\n*.bat -text eol=crlf', 'autocrlf=false'],
	['*.bat text', 'autocrlf=input'],
	['*.bat text', 'autocrlf=true'],
	['* text=auto', 'eol=crlf'],
])(
	'the baseline of a worktree with %j and core.%s is what git would commit of each file',
	async (lines, setting) => {
		const {world, state, agent, tree, index} = await makeWaiting(
			Object.fromEntries(
				['txt', 'bat'].flatMap(kind => [
					[`crlf.${kind}`, 'a\r\nb\n'],
					[`lf.${kind}`, 'a\nb\n'],
					[`cr.${kind}`, 'a\rb\n'],
				]),
			),
		);
		const {root} = world.repository;
		write(root, {'.gitattributes': `${lines}\n`});
		git(root, 'add', '.gitattributes');
		git(root, 'commit', '--quiet', '-m', 'attributes');
		git(root, 'config', ...`core.${setting}`.split('='));
		await openStore(world.store.gitDir, await openRepository(root));
		const base = git(root, 'rev-parse', 'HEAD');
		const session = {...requireSession(state), base, tip: base};
		const [prepared] = await prepare(world, {...state, session}, agent);
		const whole = await wholeWorktree(world.store, {tree, seed: base});
		expect(prepared).toMatchObject({baseline: whole.tree});
		const ref = `refs/delegate/${world.session}/AGT-001/baseline`;
		const raw = git(world.store.gitDir, 'log', '-1', '--format=%P', ref).split(' ')[1];
		expect(raw && git(world.store.gitDir, 'rev-parse', `${raw}^{tree}`)).toBe(whole.raw);

		const later = new Date(Date.now() + 5000);
		for (const name of ['crlf', 'lf', 'cr']) {
			utimesSync(join(tree, `${name}.txt`), later, later);
			utimesSync(join(tree, `${name}.bat`), later, later);
		}

		expect(await worktreeTree(world.store, {tree, index, seed: base})).toBe(whole.tree);
	},
);

test('a new worktree is looked at only if more than its checkout was written there', async () => {
	const isLookedAt = async (plan: Partial<Plan>, parts: Parameters<typeof subtask>[1] = {}) => {
		const {world, state, agent, tree, index} = await makeWaiting({'a.txt': 'a\n'}, [
			subtask('AGT-001', parts),
		]);
		write(world.repository.root, {'own.txt': 'own\n'});
		const marker = join(temporaryFolder(), 'looked');
		insteadOfGit('ls-files', `touch '${marker}'`);
		const [prepared] = await prepare(world, withPlan(state, plan), agent);
		const seed = prepared?.kind === 'workspace.prepared' ? prepared.baseline : '';
		const isLooked = existsSync(marker);
		expect(await worktreeTree(world.store, {tree, index, seed})).toBe(seed);
		const ref = `refs/delegate/${world.session}/AGT-001/baseline`;
		expect(git(world.store.gitDir, 'log', '-1', '--format=%T %P', ref)).toBe(
			`${seed} ${requireSession(state).base}`,
		);
		return isLooked;
	};
	expect(await isLookedAt({})).toBe(false);
	expect(await isLookedAt({setup: ['echo b >b.txt']})).toBe(true);
	expect(await isLookedAt({copy: ['own.txt']})).toBe(true);
	expect(await isLookedAt({}, {uncommitted: true})).toBe(true);
	expect(await isLookedAt({}, {inputs: ['own.txt']})).toBe(true);
});

test.each([
	['exit 7', 'exited with 7'],
	['kill -9 $$', 'was ended by a signal'],
])('a setup that fails names its command and how it ended: %s', async (command, how) => {
	const {world, state, agent, setupLog} = await makeWaiting({'a.txt': 'a\n'});
	const given = withPlan(state, {setup: ['echo begun', command, 'echo never']});
	await expect(prepare(world, given, agent)).rejects.toMatchObject({
		kind: 'refused',
		message: `setup failed: \`${command}\` ${how}.`,
		hint: `All of its output is in ${setupLog}`,
		printed: ['begun', `$ ${command}`],
	});
	expect(readFileSync(setupLog, 'utf8')).toBe(`$ echo begun\nbegun\n$ ${command}\n`);
});

test('of setups that begin at once one alone downloads what all of them need', async () => {
	const {world, state} = await makeWaiting(
		{'a.txt': 'a\n'},
		['AGT-001', 'AGT-002', 'AGT-003'].map(id => subtask(id)),
	);
	const cache = temporaryFolder();
	const install = `cd '${cache}' && if [ ! -e cached ]; then echo download >>log; sleep 0.3; touch cached; fi`;
	const given = withPlan(state, {setup: [install]});
	await Promise.all(given.agents.map(agent => prepare(world, given, agent)));
	expect(readFileSync(join(cache, 'log'), 'utf8')).toBe('download\n');
});

test('what is copied from the checkout is no link to it, and what isn’t there is named', async () => {
	const {world, state, agent, tree} = await makeWaiting({'a.txt': 'a\n', '.gitignore': '.env\n'});
	write(world.repository.root, {'.env': 'SECRET=1\n'});
	const missing = withPlan(state, {copy: ['.env', 'config/local.yaml']});
	await expect(prepare(world, missing, agent)).rejects.toMatchObject({
		kind: 'missing',
		message: 'config/local.yaml could not be copied from your checkout.',
	});
	await prepare(world, withPlan(state, {copy: ['.env']}), agent);
	const [copied, own] = [tree, world.repository.root].map(root => lstatSync(join(root, '.env')));
	expect([copied?.isFile(), copied?.ino === own?.ino]).toEqual([true, false]);
});

test('what would be copied for ever is not copied, and the reason is told', async () => {
	const {world, state, agent} = await makeWaiting({'a.txt': 'a\n'});
	const {root} = world.repository;
	mkdirSync(join(root, 'kept'));
	symlinkSync(dirname(root), join(root, 'kept/top'));
	const endless = withPlan(state, {copy: ['kept']});
	await expect(prepare(world, endless, agent)).rejects.toMatchObject({
		message: `kept could not be copied from your checkout: A link leads to ${dirname(root)}, a folder that contains it.`,
	});
});

test('what is copied comes from where the session was started, and not from behind a link', async () => {
	const {world, state, agent, tree} = await makeWaiting({'a.txt': 'a\n'});
	const {root} = world.repository;
	const other = {...world, repository: {...world.repository, root: temporaryFolder()}};
	write(root, {'.env': 'MINE=1\n', 'real/x': 'x\n'});
	await prepare(other, withPlan(state, {copy: ['.env']}), agent);
	expect(readFileSync(join(tree, '.env'), 'utf8')).toBe('MINE=1\n');

	symlinkSync('real', join(root, 'linked'));
	git(root, 'add', 'linked');
	const base = commitAll(root);
	const session = {...requireSession(state), base, tip: base};
	const linked = withPlan({...state, session}, {copy: ['linked/x']});
	await expect(prepare(world, linked, agent)).rejects.toMatchObject({
		message: 'linked/x is not copied: its folder is a link in the repository.',
	});

	const gone = {...session, repository: {...session.repository, root: join(root, 'gone')}};
	const elsewhere = withPlan({...state, session: gone}, {copy: ['.env']});
	await expect(prepare(world, elsewhere, agent)).rejects.toMatchObject({
		kind: 'missing',
		message: `.env could not be copied: your checkout ${join(root, 'gone')} is gone.`,
	});
});

test('nothing is prepared outside of a session', async () => {
	const {world, state, agent} = await makeWaiting({'a.txt': 'a\n'});
	await expect(prepare(world, {...state, session: null}, agent)).rejects.toThrow(
		'There is no session.',
	);
});
