import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {until} from '../../src/lib/process/processes.ts';
import {overAcp} from '../helpers/plan-file.ts';
import {type Session, startSession, storyMs} from '../helpers/session.ts';

/** Waits until the view of the agent says this. */
const seen = ({folder}: Session, words: string): Promise<boolean> =>
	until(
		() => existsSync(folder.telemetry) && readFileSync(folder.telemetry, 'utf8').includes(words),
		storyMs,
	);

const summaries = (session: Session) =>
	session
		.events('signal.said')
		.flatMap(({signal}) => (signal.kind === 'summary' ? signal.value : []));

test.each([
	['dies', true],
	['closes', true],
	['floods', false],
	['freezes', false],
])(
	'a turn whose server of tools %s goes on; its end is told, and the next turn has a new one',
	async (fault, ends) => {
		await using session = await startSession({agents: [overAcp('loses-tools.ts', fault)]});
		const question = await session.item('question', 'AGT-001');
		const ended = 'tools has ended; its next turn begins with a new one';
		expect(!ends || (await seen(session, ended))).toBe(true);
		const src = join(session.folder.agent('AGT-001').tree, 'src');
		mkdirSync(src, {recursive: true});
		writeFileSync(join(src, 'go.txt'), '');
		await session.event('turn.ended');
		await session.answer(question, '8080');
		await session.agent('AGT-001', 'COMPLETE');

		expect(summaries(session)).toEqual(['with tools']);
		const [first, second] = session.events('turn.started');
		expect(second?.pid === first?.pid).toBe(!ends);
	},
);

test('an agent that takes servers by HTTP alone reports by a tool', async () => {
	const {agent, ...planned} = overAcp('loses-tools.ts', 'http');
	await using session = await startSession({
		agents: [{...planned, agent: {...agent, tools: 'http'}}],
	});
	await session.agent('AGT-001', 'COMPLETE');
	expect(session.events('signal.said').map(({by}) => by)).toEqual(['tool']);
});

test('an agent that begins turns without servers is told how to speak where ours does not come', async () => {
	const {agent, ...planned} = overAcp('loses-tools.ts', 'never');
	const command = 'command' in agent ? agent.command : [];
	await using session = await startSession({
		agents: [{...planned, agent: {extends: 'codex', ...(command && {command})}}],
	});
	await session.agent('AGT-001', 'COMPLETE');
	expect(summaries(session)).toEqual(['without tools']);
});
