import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {expect, test} from 'vitest';
import {stringify} from 'yaml';
import type {Looked} from '../../src/events/kinds/merge-event.ts';
import {processTree} from '../../src/lib/process/process-table.ts';
import {send, until} from '../../src/lib/process/processes.ts';
import {inShell} from '../../src/lib/text/shell-words.ts';
import {type Fault, faults, goesOn, type OnceFaulty, onceFaulty} from '../helpers/faults.ts';
import {agent} from '../helpers/plan-file.ts';
import {projectAt, trust} from '../helpers/project.ts';
import {git, makeRepository, script, temporaryFolder} from '../helpers/repository.ts';
import {type Session, startSession, storyMs} from '../helpers/session.ts';

const edits = resolve(import.meta.dirname, '../../fixtures/agents/edits.sh');

/** Puts a git in front of the real one, of which the first one with each of these words has a fault. */
const faultyGit = (folder: string, moments: Readonly<Record<string, OnceFaulty>>): string => {
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	const cases = Object.entries(moments).map(([word, {lines}]) => `*' ${word} '*) ${lines} ;;`);
	script(join(folder, 'git'), `case " $* " in\n${cases.join('\n')}\nesac\nexec ${real} "$@"`);
	return `${folder}:${process.env.PATH ?? ''}`;
};

/** Waits until a child has its fault, asks the supervisor meanwhile, and ends one that goes on, like a person would. */
const meets = async ({project}: Session, fault: Fault, {met, end}: OnceFaulty): Promise<void> => {
	expect(await until(() => existsSync(met), storyMs)).toBe(true);
	expect((await project.run('status')).code).toBe(0);
	if (goesOn(fault)) {
		end();
	}
};

/** Waits for the supervisor's TypeScript, and kills it, or has it stand still. */
const meetsChecker = async (session: Session, fault: Fault): Promise<void> => {
	const supervisor = session.events('supervisor.started').at(-1)?.pid;
	const checkers = () =>
		processTree(({pid}) => pid === supervisor).filter(({words}) =>
			words.some(word => word.includes('typescript-process')),
		);
	expect(await until(() => checkers().length > 0, storyMs)).toBe(true);
	for (const {pid} of checkers()) {
		send(pid, goesOn(fault) ? 'SIGSTOP' : 'SIGKILL');
	}
};

test.each(Object.keys(faults) as Fault[])(
	'a supervisor goes on, says so and starts again what it needs: each of its children %s',
	async fault => {
		const aside = temporaryFolder();
		const faulty = (name: string) => onceFaulty(aside, name, fault);
		const [setup, turn, verify] = [faulty('setup'), faulty('turn'), faulty('verify')];
		const gits = {
			'commit-tree': faulty('baseline'),
			'write-tree': faulty('look'),
			'merge-tree': faulty('comparison'),
		};
		const config = {
			...{docs: false, limits: {stagger: '0s'}},
			// A checker that stands still is ended once its time is over.
			...(goesOn(fault) ? {types: {seconds: 10}} : {}),
		};
		const root = makeRepository({
			'.delegate-tui.yaml': stringify(config),
			'src/a.ts': 'export {};\n',
		});
		const project = projectAt(root, {aside, env: {PATH: faultyGit(temporaryFolder(), gits)}});
		trust(project);
		const {agent: plain, ...planned} = agent('edits.sh');
		const command = ['sh', '-c', `${turn.lines}; exec ${inShell(edits)} src/one.ts 'export {};'`];
		await using session = await startSession(
			{
				agents: [
					{...planned, agent: {...plain, protocol: 'text', command}},
					agent('edits.sh', ['src/two.ts', 'export {};']),
				],
				setup: [setup.lines],
				verify: [verify.lines],
			},
			project,
		);
		/** Waits for what was lost, and has it started again. */
		const retry = async (kind: 'failure' | 'verify', words: RegExp): Promise<void> => {
			const item = await session.item(kind);
			expect(item.title).toMatch(words);
			await session.answer(item, 'retry');
		};
		const gitsMet = Promise.all(Object.values(gits).map(one => meets(session, fault, one)));
		await meets(session, fault, setup);
		await retry('failure', /setup failed/);
		await meets(session, fault, turn);
		await retry('failure', /was killed|exited with/);
		await Promise.all([gitsMet, meetsChecker(session, fault)]);
		await session.agent('AGT-001', 'COMPLETE');
		await session.agent('AGT-002', 'COMPLETE');
		await session.accept('AGT-001', 'AGT-002');
		await meets(session, fault, verify);
		await retry('verify', /exited with/);
		const approval = await session.item('approval');
		// It was given up if it stood still in a check that was still wanted.
		if (approval.choices.some(({choice}) => choice === 'types')) {
			await session.answer(approval, 'types');
		}

		const {commit} = await session.event('merge.built', ({looked}) => isChecked(looked));
		await session.until('its approval', ({state: {merge}}) =>
			merge.phase === 'verified' && merge.built.commit === commit ? merge : undefined,
		);
		expect((await session.approve()).code).toBe(0);
		expect(git(root, 'show', '--name-only', '--format=', 'main')).toBe('src/one.ts\nsrc/two.ts');
		const log = readFileSync(join(session.folder.path, '../supervisor.log'), 'utf8');
		const told = [...session.events('effect.failed').map(({message}) => message), log].join('\n');
		// A look at a worktree that fails is repeated, and told only after a minute.
		expect(told).toMatch(/git commit-tree (failed|did not run)/);
		expect(told).toMatch(/git merge-tree (failed|did not run)/);
	},
);

/** Returns whether TypeScript checked a result. */
const isChecked = (looked: Looked): boolean =>
	looked.outcome === 'compared' &&
	looked.oracles.length > 0 &&
	looked.oracles.every(({failed}) => failed === undefined);
