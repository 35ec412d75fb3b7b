import {cpSync, existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent, writePlan} from '../helpers/plan-file.ts';
import {git} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {type Asked, askAll, placesOf} from './decision-matrix/ask.ts';
import {makeUserProject, users} from './decision-matrix/user-project.ts';
import {tell, times} from './figures.ts';

/** What a refusal says: that an agent asks, or that it can't be seen who does. */
const refusal =
	/This is for people|can’t see which process asks|supervised in another process namespace/;

test.each(users)('no agent decides anything, as user $name', async user => {
	const project = makeUserProject(user);
	const {root, aside, state} = project;
	const first = await startSession({agents: [agent('edits.sh', ['src/a.txt', 'a'])]}, project);
	await first.answer(await first.item('review', 'AGT-001'), 'merge');
	await first.answer(await first.item('approval'), 'approve');
	await first.end();
	await first.gone();

	await using session = await startSession(
		{agents: [agent('asks-once.sh', ['src/b.txt'])]},
		project,
		// It is open while all of them ask, twice.
		{limitMs: 20 * 60_000},
	);
	const question = await session.item('question', 'AGT-001');
	const states = {same: state, other: join(aside, 'other'), copied: join(aside, 'copied')};
	cpSync(state, states.copied, {recursive: true, filter: path => existsSync(path)});
	user.own(states.copied);
	const plan = writePlan(project, {agents: [agent('edits.sh', ['src/evil.txt', 'evil'])]});
	user.own(plan);
	const commands = [
		['answer', question.id, 'jwt'],
		['run', plan, '--headless', '--yes'],
		['stop'],
		['agent', 'AGT-001', 'stop'],
		['agent', 'AGT-001', 'message', 'go on'],
		['agent', 'AGT-001', 'pause'],
		['agent', 'AGT-001', 'restart'],
		['agent', 'AGT-001', 'shell'],
		['undo', '--yes'],
		['publish', '--yes'],
		['doctor', '--clean', '--yes'],
		['doctor', '--set-aside', session.id, '--yes'],
	];
	const observe = () => ({
		tip: tipOf(root),
		decided: session.events('user.decided').map(({item}) => item),
		steered: session.events('user.steered').length,
		sessions: readdirSync(join(state, readdirSync(state)[0] ?? '')).filter(isSession),
		started: existsSync(states.other) && readdirSync(states.other).length > 0,
	});
	const before = observe();
	const places = await placesOf(user);
	const expectRefused = async (supervisor: 'alive' | 'dead'): Promise<number> => {
		const asked = await askAll({
			project,
			user,
			session: session.id,
			states,
			places,
			marks: user.marks,
			commands,
			// Twelve commands and a third of the cases: each command from each place, if not with each state folder.
			sample: {oneIn: times({part: 3, deep: 1}), from: supervisor === 'alive' ? 0 : 1},
		});
		expect(asked).not.toEqual([]);
		expect(observe()).toEqual(before);
		expect(asked.filter(isGranted)).toEqual([]);
		for (const {of} of asked) {
			process.stdout.write(`refused to ${user.name}, supervisor ${supervisor}: ${of}\n`);
		}

		return asked.length;
	};

	const whileAlive = await expectRefused('alive');
	project.killCommands();
	await session.killSupervisor();
	const whileDead = await expectRefused('dead');

	// The person is refused nothing of it.
	await session.answer(question, 'jwt');
	await session.item('review', 'AGT-001');
	for (const words of [['doctor', '--clean', '--yes'], ['stop'], ['undo', '--yes', '--json']]) {
		expect([words, await project.run(...words)]).toMatchObject([words, {code: 0}]);
	}

	expect(tipOf(root)).not.toBe(before.tip);
	tell('H', `decisions that an agent asked for as ${user.name}`, whileAlive + whileDead);
});

const isSession = (name: string): boolean => name.startsWith('DEL-');

/** Or refused for another reason than the one that counts. */
const isGranted = ({code, stderr}: Asked): boolean => code !== 1 || !refusal.test(stderr);

/** The repository may be somebody else's, which git would refuse. */
const tipOf = (root: string): string => git(root, '-c', 'safe.directory=*', 'rev-parse', 'main');
