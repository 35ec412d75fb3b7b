import {expect, test} from 'vitest';
import type {SandboxSettings} from '../../../../src/events/settings.ts';
import {watchTools} from '../../../../src/supervisor/perform/start/watch-tools.ts';
import {createToolServers} from '../../../../src/supervisor/tool-servers.ts';
import {makeSupervised} from '../../world.ts';

/** Watches for the tools of an agent that takes them by HTTP and never connects; returns what a person is told. */
const toldOf = async (sandbox: SandboxSettings): Promise<readonly string[]> => {
	const {world, state} = await makeSupervised({'src/a.ts': ''});
	const [agent] = state.agents;
	const {session} = state;
	if (agent === undefined || session === null) {
		throw new Error('There is no agent.');
	}

	const told: string[] = [];
	await watchTools(
		{
			...world,
			state: () => ({...state, session: {...session, settings: {...session.settings, sandbox}}}),
			containment: {...world.containment, fileSandbox: {program: 'bwrap', by: 'bubblewrap'}},
			tools: {
				...world.tools,
				servers: {...createToolServers(), arrival: () => Promise.resolve(false)},
			},
		},
		{
			...agent,
			subtask: {
				...agent.subtask,
				agent: {protocol: 'acp', command: ['its-own'], tools: 'http'},
			},
		},
		{number: 1, ended: new Promise(() => {})},
		what => told.push(what),
	);
	return told;
};

test.each(['off', {hosts: ['example.org']}] as const)(
	'with the network %j a person is told that tools by HTTP are out of reach',
	async network => {
		expect(await toldOf({network})).toEqual([
			'It can’t reach delegate-tui’s tools by HTTP, since sandbox.network gives it a loopback of its own; so it asks and reports in text. Set `sandbox: {network: open}`, or remove `tools: http` where it starts servers itself.',
		]);
	},
);

test('an agent that has its tools by HTTP already is not told to be given them so', async () => {
	expect(await toldOf({})).toEqual([
		'It did not connect to delegate-tui’s tool server, so it asks and reports in text.',
	]);
});
