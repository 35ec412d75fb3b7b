import {readFileSync, statSync} from 'node:fs';
import {expect, it} from 'vitest';
import type {AgentCommand} from '../../../src/events/plan.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {textTools} from '../../../src/supervisor/perform/start/start.ts';
import type {Tools} from '../../../src/supervisor/tools.ts';
import {subtask} from '../../helpers/plan.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const server = {
	name: 'delegate-tui',
	command: '/bin/node',
	args: ['cli.cjs', 'agent-tools'],
	env: [{name: 'DELEGATE_MCP_TOKEN', value: 'secret'}],
};

const tools: Pick<Tools, 'open' | 'serverFor'> = {
	open: async () => ({socket: '/run/tools.sock', token: 'secret'}),
	serverFor: async () => server,
};

const toldOf = (agent: AgentCommand) => {
	const folder = repositoryFolder(temporaryFolder(), 'project-1').session('DEL-1');
	const world = {tools: tools as Tools, folder};
	return textTools(world, {id: 'AGT-001', subtask: subtask('AGT-001', {agent})}, {PATH: '/bin'});
};

it('tells a text agent by a file, which is its user’s alone, how the server of its tools is started', async () => {
	const {environment} = await toldOf({protocol: 'text', command: ['sh', 'agent.sh']});
	expect(environment).toMatchObject({
		PATH: '/bin',
		DELEGATE_MCP_SOCKET: '/run/tools.sock',
		DELEGATE_MCP_TOKEN: 'secret',
	});
	const file = environment.DELEGATE_MCP_CONFIG ?? '';
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
		mcpServers: {
			'delegate-tui': {
				command: '/bin/node',
				args: ['cli.cjs', 'agent-tools'],
				env: {DELEGATE_MCP_TOKEN: 'secret'},
			},
		},
	});
});

it('leaves one over ACP as it is, since its conversation is opened with them', async () => {
	const agent = {protocol: 'acp', command: ['claude-agent-acp'], vendor: 'claude'} as const;
	expect(await toldOf(agent)).toEqual({environment: {PATH: '/bin'}});
});
