import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {questionHome} from '../../src/control/questions/home.ts';
import {findContainment} from '../../src/lib/process/containment.ts';
import {agent} from '../helpers/plan-file.ts';
import {type Session, startSession} from '../helpers/session.ts';

const {level, why} = await findContainment();

test.runIf(level === 'namespace')(
	`scripts that know nothing of us ask in a file, and nobody but the person answers them (${why})`,
	async () => {
		await using session = await startSession({
			agents: [
				agent('quick-or-escalated.sh', ['src/quick.txt', '600', '1']),
				agent('quick-or-escalated.sh', ['src/away.txt', '1', '1']),
				agent('answers-for-others.sh', ['src/seen.txt']),
			],
		});
		const {HOME = ''} = session.project.environment;
		const home = questionHome(join(HOME, '.claude'));
		const quick = await session.item('question', 'AGT-001');
		expect(quick).toMatchObject({title: 'Which auth method: OAuth or JWT?', waits: 'file'});
		const away = await session.item('question', 'AGT-002');
		await session.agent('AGT-002', 'CHECKPOINT');
		const names = ['AGT-001', 'AGT-002'].map(id => nameOf(home.pending, id));
		onTestFinished(() => names.forEach(removeCheckpoint));

		writeFileSync(join(HOME, 'asked'), `${names.join('\n')}\n`);
		await session.agent('AGT-003', 'COMPLETE');
		expect(written(session, 'AGT-003', 'seen')).toBe('');
		expect(existsSync(join(home.answers, `${names[0]}.txt`))).toBe(false);

		writeFileSync(join(home.answers, `${names[0]}.txt`), 'jwt\n');
		await session.answer(away, 'jwt');
		await session.agent('AGT-001', 'COMPLETE');
		await session.agent('AGT-002', 'COMPLETE');
		expect(written(session, 'AGT-001', 'quick')).toBe('jwt\n');
		expect(written(session, 'AGT-002', 'away')).toBe('jwt\n');
		expect(readFileSync(session.folder.agent('AGT-002').transcript(2), 'utf8')).toContain(
			'Resuming at auth_method_selection\nWORKFLOW_COMPLETE',
		);

		const {stdout} = await session.project.run('log', '--questions', '--json');
		expect(JSON.parse(stdout).questions).toEqual(
			expect.arrayContaining([
				expect.objectContaining({agent: 'AGT-001', answer: 'jwt', by: 'file', path: 'quick'}),
				expect.objectContaining({agent: 'AGT-002', answer: 'jwt', by: 'user', path: 'escalated'}),
			]),
		);
		const audit = readFileSync(home.audit, 'utf8');
		expect(audit).toContain(`| ${names[1]} | Which auth method: OAuth or JWT? | jwt |`);
		expect(readdirSync(home.answered).toSorted()).toEqual(
			names.map(name => `${name}.json`).toSorted(),
		);
	},
);

/** Returns the name that the question of an agent has where the person looks. */
const nameOf = (pending: string, agent: string): string => {
	const names = readdirSync(pending).map(name => name.replace(/\.json$/, ''));
	const isAskedBy = (name: string): boolean =>
		JSON.parse(readFileSync(join(pending, `${name}.json`), 'utf8')).asked_by === agent;
	return names.find(isAskedBy) ?? '';
};

const written = ({folder}: Session, agent: string, name: string): string =>
	readFileSync(join(folder.agent(agent).tree, 'src', `${name}.txt`), 'utf8');

const removeCheckpoint = (name: string): void => {
	const workflow = /workflow_\d+/.exec(name)?.[0];
	rmSync(`/tmp/${workflow}_checkpoint.json`, {force: true});
};
