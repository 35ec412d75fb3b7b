import {execFileSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {type Project, projectAt} from '../helpers/project.ts';
import {git, makeRepository, script, temporaryFolder} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';

const plan = {agents: [agent('edits.sh', ['src/a.txt', 'one'])]};

/** A git that has locked the base's ref when it is killed together with the supervisor that started it. */
const gitThatDies = (): string => {
	const folder = temporaryFolder();
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	script(
		join(folder, 'git'),
		`case "$1 $2" in
"update-ref refs/delegate/"*/base)
	mkfifo ${folder}/in
	${real} update-ref --stdin <${folder}/in >${folder}/out &
	exec 3>${folder}/in
	printf 'start\\nupdate %s %s\\nprepare\\n' "$2" "$3" >&3
	until grep -q 'prepare: ok' ${folder}/out; do sleep 0.01; done
	kill -9 $! $PPID
	exit
	;;
esac
exec ${real} "$@"`,
	);
	return `${folder}:${process.env.PATH ?? ''}`;
};

/** What is left in a person's git folder of sessions, by name. */
const leftIn = ({root}: Project): readonly string[] =>
	readdirSync(join(root, '.git'), {recursive: true, encoding: 'utf8'}).filter(name =>
		/\.lock$|^refs\/delegate\/.*\/base$/.test(name),
	);

const sessionsOf = ({state}: Project): readonly string[] =>
	readdirSync(state, {recursive: true, encoding: 'utf8'})
		.filter(name => /^[^/]+\/DEL-[^/]+$/.test(name))
		.map(name => name.split('/')[1] ?? '');

test.each([
	['over the ref that pins its base', () => ({PATH: gitThatDies()}), /\/base\.lock$/],
	[
		'before its first event',
		() => ({DELEGATE_TUI_FAILPOINT: 'before:session.started:1'}),
		/\/base$/,
	],
])('nothing stays of a session whose supervisor was killed %s', async (_, environment, left) => {
	const root = makeRepository({'.delegate-tui.yaml': 'docs: false\nlimits: {stagger: 0s}\n'});
	const aside = temporaryFolder();
	const mortal = projectAt(root, {aside, env: environment()});
	const killed = await mortal.run('run', writePlan(mortal, plan), '--headless', '--yes');
	expect(killed.code).not.toBe(0);
	expect(leftIn(mortal)).toEqual([expect.stringMatching(left)]);
	const [never] = sessionsOf(mortal);
	const project = projectAt(root, {aside});
	expect((await project.run('status')).stdout).toMatch(/^No session in this repository yet/);

	await using session = await startSession(plan, project);
	expect(sessionsOf(project)).toEqual([session.id]);
	expect(session.id).not.toBe(never);
	expect(leftIn(project)).toEqual([`refs/delegate/${session.id}/base`]);
	expect(git(root, 'for-each-ref', '--format=%(refname)', 'refs/delegate')).toBe(
		`refs/delegate/${session.id}/base`,
	);
	await session.accept('AGT-001');
	expect((await session.approve()).code).toBe(0);
});
