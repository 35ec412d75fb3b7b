import {expect, test} from 'vitest';
import {
	imagesFor,
	modeFor,
	serversFor,
} from '../../../../src/supervisor/perform/start/start-acp.ts';
import {subtask} from '../../../helpers/plan.ts';
import {makeSupervised} from '../../world.ts';

const plain = {protocol: 'acp', command: ['agent']} as const;

const directory = process.cwd();
const here = {PATH: process.env.PATH ?? ''};

test('a server gets the marks of its agent and the variables that the plan names, and no others', () => {
	const servers = [{name: 'docs', command: ['npx', 'docs-mcp'], env: ['TOKEN', 'OTHER']}];
	const environment = {...here, DELEGATE_TURN: 's/AGT-001', TOKEN: 'secret', HOME: '/home/me'};
	expect(serversFor({mcpServers: servers, agent: plain}, {environment, directory})).toEqual({
		available: [
			{
				...{name: 'docs', command: 'npx', args: ['docs-mcp']},
				env: [
					{name: 'DELEGATE_TURN', value: 's/AGT-001'},
					{name: 'TOKEN', value: 'secret'},
					{name: 'DELEGATE_SERVER', value: 's/AGT-001/docs'},
				],
			},
		],
		unmet: ['OTHER is not set, so the server docs does not get it.'],
	});
});

test('a server whose program is not there is told of', () => {
	const mcpServers = [
		{name: 'docs', command: ['docs-mcp'], env: []},
		{name: 'shell', command: ['sh', 'server.sh'], env: []},
	];
	const {unmet} = serversFor({mcpServers, agent: plain}, {environment: here, directory});
	expect(unmet).toEqual(['Its server docs can’t start, since docs-mcp can’t be run.']);
});

test.each([
	['claude', `\${TOKEN}`],
	['gemini', String.raw`pa\$\$word`],
	['codex', 'pa$$word'],
	['opencode', 'pa$$word'],
] as const)('a value with a dollar reaches the server of %s whole', (vendor, value) => {
	const mcpServers = [{name: 'docs', command: ['docs-mcp'], env: ['TOKEN', 'PLAIN']}];
	const environment = {TOKEN: 'pa$$word', PLAIN: 'plain'};
	const given = {environment, directory};
	expect(serversFor({mcpServers, agent: {...plain, vendor}}, given).available).toEqual([
		{
			...{name: 'docs', command: 'docs-mcp', args: []},
			env: [
				{name: 'TOKEN', value},
				{name: 'PLAIN', value: 'plain'},
			],
		},
	]);
});

test('a server on the network gets the headers whose variables are set', () => {
	const headers = {Authorization: 'TOKEN', Other: 'OTHER'};
	const web = {name: 'web', type: 'http', url: 'https://x.org/mcp', headers} as const;
	const environment = {TOKEN: 'secret'};
	expect(serversFor({mcpServers: [web], agent: plain}, {environment, directory})).toEqual({
		available: [{...web, headers: [{name: 'Authorization', value: 'secret'}]}],
		unmet: ['OTHER is not set, so the server web does not get it.'],
	});
});

test('no agent of a known make is put into a mode in which it is not known to ask', () => {
	const claude = {protocol: 'acp', command: ['claude-agent-acp'], vendor: 'claude'} as const;
	expect(modeFor({mode: 'default', agent: claude})).toEqual({available: ['default'], unmet: []});
	expect(modeFor({mode: 'bypassPermissions', agent: claude})).toEqual({
		available: [],
		unmet: ['It is not known to ask in the mode bypassPermissions; it works in its usual one.'],
	});
});

test('pictures are those of the commit that the work stands on', async () => {
	const {world, state} = await makeSupervised({'a.png': 'a picture', 'b.txt': 'b'});
	const base = state.session?.base ?? '';
	const {available, unmet} = await imagesFor(world, {
		subtask: subtask('AGT-001', {images: ['a.png', 'gone.png']}),
		workspace: {phase: 'ready', base, baseline: '', onto: [], conflicts: []},
	});
	expect(available).toEqual([
		{mimeType: 'image/png', data: Buffer.from('a picture').toString('base64')},
	]);
	expect(unmet).toEqual([
		'It is not shown gone.png, which is not a file in the commit that it began on.',
	]);
});
