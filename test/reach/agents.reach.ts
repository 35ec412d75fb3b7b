import {appendFileSync} from 'node:fs';
import {execa} from 'execa';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {type Session, startSession} from '../helpers/session.ts';
import {type User, users} from '../safety/decision-matrix/user-project.ts';
import {holdsCanary, layCanaries, lookAt, type Places, printedIn} from './canaries.ts';
import {makeVictim} from './person.ts';
import {leftOpen, type Probe, readProbes} from './probes.ts';

const probes = readProbes();

/** Returns why files can't be protected from a user's agents here, if they can't. */
const whyNot = async ({prefix}: User): Promise<string | undefined> => {
	const module = new URL('../../src/lib/process/containment.ts', import.meta.url).href;
	const script = `
		const {findContainment} = await import(${JSON.stringify(module)});
		console.log((await findContainment()).fileSandbox.missing ?? '');`;
	const [command = '', ...words] = [...prefix, process.execPath];
	const {stdout} = await execa(command, [
		...words,
		'--no-warnings',
		'--input-type=module',
		'-e',
		script,
	]);
	return stdout === '' ? undefined : stdout;
};

const told = (result: object): void => {
	const file = process.env.REACH_RESULTS;
	if (file !== undefined) {
		appendFileSync(file, `${JSON.stringify(result)}\n`);
	}
};

/** What the plan forbids the agents that try. */
const forbidden = ['closed/**', 'closed.txt', 'deep/er/closed', 'around/closed'];

/** Only those are reached by a run for every change that need nobody else. */
const tried = process.env.REACH_PART === '1' ? users.slice(0, 1) : users;

const runs = tried.flatMap(user =>
	(['required', 'off'] as const).map(sandbox => ({user, sandbox, of: user.name})),
);

test.for(runs)(
	'what agents of $of reach, sandbox: $sandbox',
	async ({user, sandbox, of}, {skip}) => {
		const reason = sandbox === 'off' ? undefined : await whyNot(user);
		if (reason !== undefined) {
			told({user: of, sandbox, skipped: reason});
			skip(reason);
		}

		const victim = await makeVictim(user, probes, sandbox);
		const {project} = victim;
		const tries = agent('reaches/tries.sh', [], {scope: {allowed: ['src/**'], forbidden}});
		await using session = await startSession(
			{
				agents: [
					tries,
					tries,
					agent('naps.sh', ['src/there']),
					agent('asks-once.sh', ['src/asks.txt'], {scope: {allowed: ['src/asks.txt']}}),
				],
			},
			project,
			{limitMs: 9 * 60_000},
		);
		const places = await placesOf(session, victim.places);
		layCanaries(probes, user, places);
		const looks = lookAt(probes, places);
		const trees = await letTry(session, places);
		const seen = lookAt(probes, places);
		const words = await wordsOf(session);
		const printed = new Map(
			probes.map(probe => [probe.name, printedIn(trees[probe.agent], probe)]),
		);
		project.killCommands();
		await project.run('stop');
		await session.gone();
		const later = lookAt(probes, places);
		const outcomes = probes.map(probe => {
			const {name, kind} = probe;
			const said = printed.get(name) ?? '';
			const isReached =
				holdsCanary(said, probe) ||
				victim.heard.has(name) ||
				(kind === 'left' ? later : seen).get(name) !== looks.get(name);
			return {
				...{
					user: of,
					sandbox,
					area: probe.area,
					name,
					by: probe.line,
					canary: probe.canary,
					said: said.slice(0, 500),
				},
				outcome: !isReached ? 'prevented' : probe.told?.test(words) ? 'detected' : 'missed',
			};
		});
		outcomes.forEach(told);
		if (sandbox === 'required') {
			const missed = ({area, outcome}: (typeof outcomes)[number]) =>
				outcome === 'missed' && area !== leftOpen;
			expect(outcomes.filter(missed)).toEqual([]);
		} else {
			// Else a probe that does nothing would count as prevented.
			expect(outcomes.filter(({outcome}) => outcome !== 'prevented').length).toBeGreaterThan(100);
		}
	},
);

/** Returns all places, once there are other agents. */
const placesOf = async (session: Session, places: Places): Promise<Places> => {
	const peer = session.folder.agent('AGT-003');
	const {id: question} = await session.item('question', 'AGT-004');
	const link = (await session.project.start('web').firstLine) ?? '';
	return {
		...places,
		question,
		session: session.folder.path,
		peer: peer.path,
		peer_tree: peer.tree,
		page: new URL(/http\S+/.exec(link)?.[0] ?? '').port,
		decided: `cat ${session.folder.journal}/* | grep user.decided | grep -cE 'forged|"file"'`,
	};
};

/** Lets both agents try, and returns their worktrees once they have. */
const letTry = async (
	session: Session,
	places: Places,
): Promise<Readonly<Record<Probe['agent'], string>>> => {
	const {decided: _, ...given} = places;
	const words = Object.entries(given).map(([name, value]) => `${name}=${value}`);
	const agents = ['AGT-001', 'AGT-002'] as const;
	for (const id of agents) {
		await session.answer(await session.item('question', id), words.join(' '));
	}

	for (const id of agents) {
		await session.until(
			`the end of ${id}`,
			({state}) =>
				state.agents.some(one => one.id === id && ['COMPLETE', 'FAILED'].includes(one.state)) ||
				undefined,
		);
	}

	const [one, other] = agents.map(id => session.folder.agent(id).tree);
	return {'AGT-001': one ?? '', 'AGT-002': other ?? ''};
};

/** Returns all that a person is told of what agents did, up to the approval. */
const wordsOf = async (session: Session): Promise<string> => {
	const review = await session.item('review', 'AGT-001');
	await session.answer(review, 'merge-now');
	await session.item('approval');
	const {stdout} = await session.project.run('inbox', '--json');
	const {stdout: log} = await session.project.run('log');
	return stdout + log;
};
