import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {isStillOpen, ownProgram, requireNoneObeyed} from '../../src/cli/agent/visit.ts';
import type {AgentVendor} from '../../src/events/plan.ts';
import {defined} from '../../src/lib/values.ts';
import {type Given, working} from '../helpers/given.ts';
import {subtask} from '../helpers/plan.ts';
import {temporaryFolder} from '../helpers/repository.ts';

const talking = (vendor?: AgentVendor, trust?: 'project', conversation = 'c-1'): Given => {
	const command = {
		protocol: 'acp',
		command: ['agent'],
		...defined({vendor, trust}),
	} as const;
	const session = working([subtask('AGT-001', {agent: command})]);
	session.tell({kind: 'conversation.opened', agent: 'AGT-001', turn: 1, conversation});
	return session;
};

/** An agent's folder that holds no home of settings. */
const launch = '/nowhere';

it.each([
	['claude', 'claude --setting-sources user --strict-mcp-config --resume c-1', []],
	['codex', 'codex resume c-1', ['.codex/config.toml', '.codex/hooks.json']],
	['copilot', 'copilot --resume c-1', ['.github/hooks']],
	['opencode', 'opencode --pure --session c-1', []],
	['qwen', 'qwen --bare --resume c-1', []],
] as const)(
	'%s goes on in its own program, without what the worktree would have it start',
	(vendor, command, obeys) => {
		const program = ownProgram(talking(vendor).agent('AGT-001'), launch);
		expect(program.command.join(' ')).toBe(command);
		expect(program.obeys).toEqual(obeys);
		const isOff = program.environment.OPENCODE_DISABLE_PROJECT_CONFIG === '1';
		expect(isOff).toBe(vendor === 'opencode');
	},
);

it('is not started with a conversation whose name is an option', () => {
	const session = talking('claude', undefined, '--settings={"hooks":{}}');
	expect(() => ownProgram(session.agent('AGT-001'), launch)).toThrow('calls its conversation');
});

it('is not started beside a file of the worktree that it would obey', async () => {
	const tree = temporaryFolder();
	const program = ownProgram(talking('copilot').agent('AGT-001'), launch);
	await requireNoneObeyed('AGT-001', tree, program);
	mkdirSync(join(tree, '.github/hooks'), {recursive: true});
	await expect(requireNoneObeyed('AGT-001', tree, program)).rejects.toMatchObject({
		kind: 'refused',
		message: expect.stringContaining('.github/hooks'),
	});
});

it('obeys the worktree where a person trusts the project', () => {
	const {command, obeys} = ownProgram(talking('qwen', 'project').agent('AGT-001'), launch);
	expect({command, obeys}).toEqual({command: ['qwen', '--resume', 'c-1'], obeys: []});
});

it('looks for the conversation of an agent where that one has a home of its own', () => {
	const own = temporaryFolder();
	const program = () => ownProgram(talking('codex').agent('AGT-001'), own);
	expect(program().environment).toEqual({});
	mkdirSync(join(own, 'home'));
	expect(program().environment).toEqual({CODEX_HOME: join(own, 'home')});
});

it.each(['gemini', undefined] as const)('%s has no such program', vendor => {
	expect(() => ownProgram(talking(vendor).agent('AGT-001'), launch)).toThrow(
		'no program that can resume',
	);
});

it('needs a conversation that was opened', () => {
	const claude = {protocol: 'acp', command: ['agent'], vendor: 'claude'} as const;
	const session = working([subtask('AGT-001', {agent: claude})]);
	expect(() => ownProgram(session.agent('AGT-001'), launch)).toThrow(
		'has not opened a conversation yet',
	);
});

it.each([
	['an editor that ended at once and changed nothing', 'code', 200, 0, true],
	['an editor that was open for a while', 'vim', 5000, 0, false],
	['an editor in which something was changed', 'vim', 200, 1, false],
	['a shell', undefined, 200, 0, false],
])('whether %s may be open still: %s, %i ms, %i changed: %s', (_, title, tookMs, changed, open) => {
	expect(isStillOpen({...(title === undefined ? {} : {title})}, {tookMs, changed})).toBe(open);
});
