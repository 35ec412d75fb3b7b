import {expect, test} from 'vitest';
import {createGate} from '../../../src/agents/acp/permission/gate.ts';
import {readAskedPermission} from '../../../src/agents/acp/permission/permission-request.ts';
import {type ToolCall, withNews} from '../../../src/agents/acp/speech/tool-call.ts';

const options = [
	{optionId: 'always', kind: 'allow_always'},
	{optionId: 'once', kind: 'allow_once'},
	{optionId: 'no', kind: 'reject_once'},
];

/** Returns what is said to a request for leave, and whether anybody was asked. */
const leaveFor = async (
	request: Readonly<Record<string, unknown>>,
	known?: ToolCall,
): Promise<{readonly chosen: unknown; readonly asked: number}> => {
	let asked = 0;
	const gate = createGate(async () => {
		asked++;
		return {kind: 'refuse', why: 'somebody must be asked'};
	}, ['ours']);
	const permission = readAskedPermission({options, ...request});
	const {outcome} = await gate.ask(permission, withNews(known, permission.toolCall));
	return {chosen: outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome, asked};
};

const noted = (mcpServer: unknown) => ({
	toolCallId: 't1',
	kind: 'other',
	_meta: {claudeCode: {toolName: 'mcp__x__ask', mcpServer}},
});

const announced = (rawInput: unknown): ToolCall | undefined =>
	withNews(undefined, {toolCallId: 'exec-1', title: 'mcp.x.ask', rawInput});

const approval = {
	toolCall: {toolCallId: 'exec-1', kind: 'execute', status: 'pending'},
	_meta: {is_mcp_tool_approval: true},
};

test('a call of our own tool passes unasked, once', async () => {
	const toolCall = noted({name: 'ours', source: 'dynamic'});
	expect(await leaveFor({toolCall})).toEqual({chosen: 'once', asked: 0});
});

test.each([
	['another server’s tool', noted({name: 'theirs', source: 'dynamic'})],
	[
		'a server of the same name that the repository brings',
		noted({name: 'ours', source: 'project'}),
	],
	['a name without a server', noted('ours')],
	['an input that claims it', {toolCallId: 't1', rawInput: {server: 'ours', tool: 'ask'}}],
	['a title that claims it', {toolCallId: 't1', title: 'mcp__ours__ask'}],
])('%s is asked about', async (_, toolCall) => {
	expect(await leaveFor({toolCall})).toEqual({chosen: 'no', asked: 1});
});

test('an approval of a tool is known by the announcement of its call', async () => {
	const ours = announced({server: 'ours', tool: 'ask', arguments: {}});
	expect(await leaveFor(approval, ours)).toEqual({chosen: 'once', asked: 0});
	const theirs = announced({server: 'theirs', tool: 'ask', arguments: {server: 'ours'}});
	expect(await leaveFor(approval, theirs)).toEqual({chosen: 'no', asked: 1});
	expect(await leaveFor(approval)).toEqual({chosen: 'no', asked: 1});
	expect(await leaveFor({...approval, _meta: {}}, ours)).toEqual({chosen: 'no', asked: 1});
});

test('an approval that offers to allow a whole server is known by its title', async () => {
	const whole = [{optionId: 'proceed_always_server', kind: 'allow_always'}, ...options];
	const titled = (server: string) => ({toolCallId: 't1', title: `ask (${server} MCP Server)`});
	const leave = (server: string, offered: readonly unknown[]) =>
		leaveFor({toolCall: titled(server), options: offered});
	expect(await leave('ours', whole)).toEqual({chosen: 'once', asked: 0});
	expect(await leave('theirs', whole)).toEqual({chosen: 'no', asked: 1});
	expect(await leave('ours', options)).toEqual({chosen: 'no', asked: 1});
});

test('what can only be allowed for good is not allowed', async () => {
	const toolCall = noted({name: 'ours'});
	const answer = await leaveFor({
		toolCall,
		options: options.filter(({optionId}) => optionId !== 'once'),
	});
	expect(answer).toEqual({chosen: 'no', asked: 0});
});
