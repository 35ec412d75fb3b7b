import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** Each step of the ladder, and how to wait until a session has come to it. */
const steps: readonly (readonly [string, (session: Session) => Promise<unknown>])[] = [
	['asked', session => session.item('question', 'AGT-001')],
	['parked', session => session.agent('AGT-001', 'CHECKPOINT')],
	['answered', async session => session.answer(await session.item('question', 'AGT-001'), 'jwt')],
	[
		'delivered',
		async session => {
			await session.answer(await session.item('question', 'AGT-001'), 'jwt');
			await session.event('turn.started', ({turn}) => turn === 2);
		},
	],
];

test.each(steps)(
	'a supervisor that is killed when a question was %s asks and tells nothing twice',
	async (_, come) => {
		await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
		await come(session);
		await session.killSupervisor();
		// Whatever is typed next starts another one.
		await session.project.run('status');
		await session.until('a second supervisor', () => session.events('supervisor.started')[1]);
		const isAnswered = (): boolean =>
			session.events('user.decided').some(({item}) => item.startsWith('q-'));
		if (!isAnswered()) {
			await session.answer(await session.item('question', 'AGT-001'), 'jwt');
		}

		await session.accept('AGT-001');
		await session.approve();
		expect(git(session.project.root, 'show', 'main:src/auth.txt')).toBe('jwt');
		const asked = session
			.events('signal.said')
			.filter(({signal}) => signal.kind === 'clarification_needed');
		const answers = session.events('user.decided').filter(({item}) => item.startsWith('q-'));
		expect([asked.length, answers.length]).toEqual([1, 1]);
		const home = join(session.project.environment.HOME ?? '', '.claude');
		const audit = readFileSync(join(home, 'audit', 'questions.log'), 'utf8');
		expect(audit.match(/\| Which auth method\? \| jwt \|/g)).toHaveLength(1);
	},
);

test('of two who answer at one moment one is taken, and the other is told', async () => {
	await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
	const {id} = await session.item('question', 'AGT-001');
	const tries = await Promise.all(
		['oauth', 'jwt'].map(choice => session.project.run('answer', id, choice)),
	);
	expect(tries.map(({code}) => code).toSorted()).toEqual([0, 1]);
	const taken = tries.findIndex(({code}) => code === 0);
	expect(tries[1 - taken]?.stderr).toContain(`${id} no longer waits. Answered "`);
	await session.accept('AGT-001');
	await session.approve();
	expect(git(session.project.root, 'show', 'main:src/auth.txt')).toBe(['oauth', 'jwt'][taken]);
});
