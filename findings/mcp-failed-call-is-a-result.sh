#!/usr/bin/env bash
# Guess: an MCP tool says that it failed by isError. An SDK for agents that takes MCP's tools as its own treats such a call as it
# treats a tool of its own that throws.
# What happens: so do LangChain and Mastra, by an exception. The AI SDK makes an ordinary result of it: the step has a tool-result
# where a tool of one's own that throws gives a tool-error, and the model isn't told of an error, only what the tool
# said. Agents of OpenAI's SDK do the same: what a failed call says reads as what a good one found.
# Who it hurts: anyone who stops, counts, retries or shows failures by tool-error, and models that read words like "permission denied:
# /etc/passwd" as the content that was asked for.
# What to know: in the AI SDK look for `output.isError` of the tool-result. In servers of your own let the words say that it failed.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @modelcontextprotocol/sdk@1.32.2 ai@7.0.173 @ai-sdk/mcp@2.0.99 @openai/agents@0.20.0 \
	@langchain/mcp-adapters@1.1.4 @langchain/langgraph@1.7.3 @langchain/core@1.4.0 @mastra/mcp@2.0.0 @mastra/core@1.71.0 zod@4.6.7
own_home
cat >"$T/server.mjs" <<'JS'
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({name: 'lab', version: '1.0.0'});
const content = [{type: 'text', text: 'the disk is full'}];
server.registerTool('save', {description: 'Saves it'}, () => ({isError: true, content}));
await server.connect(new StdioServerTransport());
JS
run_module <<'JS'
import {createMCPClient} from '@ai-sdk/mcp';
import {Experimental_StdioMCPTransport as StdioTransport} from '@ai-sdk/mcp/mcp-stdio';
import {MultiServerMCPClient} from '@langchain/mcp-adapters';
import {MCPClient} from '@mastra/mcp';
import {Agent, MCPServerStdio, Usage, run, setTracingDisabled, tool as agentsTool} from '@openai/agents';
import {generateText, isStepCount, tool} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import {z} from 'zod';
import {same} from './acp.mjs';

const program = {command: process.execPath, args: ['server.mjs']};
const nothing = z.object({});
const fail = () => {
	throw new Error('the disk is full');
};
const thrown = error => `throws: ${error.message.split('\n')[0]}`;

{
	const client = await createMCPClient({transport: new StdioTransport(program)});
	const calls = ['save', 'own'].map(name => ({type: 'tool-call', toolCallId: name, toolName: name, input: '{}'}));
	const answers = [[calls, 'tool-calls'], [[{type: 'text', text: 'done'}], 'stop']];
	let read;
	const doGenerate = async ({prompt}) => {
		const [content, unified] = answers.shift();
		read = prompt.at(-1).content;
		return {content, finishReason: {unified}, usage: {inputTokens: {total: 1}, outputTokens: {total: 1}}, warnings: []};
	};
	const tools = {...(await client.tools()), own: tool({inputSchema: nothing, execute: fail})};
	const model = new MockLanguageModelV4({doGenerate});
	const {steps} = await generateText({model, tools, prompt: 'save', stopWhen: isStepCount(2)});
	const kinds = steps[0].content.filter(({type}) => type !== 'tool-call').map(({type, toolName}) => `${toolName}: ${type}`);
	same('AI SDK: the step', 'own: tool-error, save: tool-result', kinds.sort().join(', '));
	same('AI SDK: what the model reads', 'own: error-text, save: content', read.map(({toolName, output}) => `${toolName}: ${output.type}`).sort().join(', '));
	await client.close();
}

{
	setTracingDisabled(true);
	const server = new MCPServerStdio({name: 'lab', ...program});
	await server.connect();
	const call = name => ({type: 'function_call', callId: name, name, arguments: '{}', status: 'completed'});
	const done = {type: 'message', role: 'assistant', status: 'completed', content: [{type: 'output_text', text: 'done'}]};
	const answers = [[call('save'), call('own')], [done]];
	let read;
	const getResponse = async ({input}) => {
		read = input;
		return {usage: new Usage(), output: answers.shift(), responseId: '1'};
	};
	const own = agentsTool({name: 'own', description: 'Saves it', parameters: nothing, execute: fail});
	await run(new Agent({name: 'agent', model: {getResponse}, mcpServers: [server], tools: [own]}), 'save');
	const results = read.filter(({type}) => type === 'function_call_result');
	const words = output => [output].flat()[0].text;
	const expected = 'own: An error occurred while running the tool. Please try again., save: the disk is full';
	same("OpenAI's SDK: what the model reads", expected, results.map(({name, output}) => `${name}: ${words(output)}`).sort().join(', '));
	await server.close();
}

{
	const client = new MultiServerMCPClient({mcpServers: {lab: {transport: 'stdio', ...program}}});
	const [save] = await client.getTools();
	same('LangChain', "throws: MCP tool 'save' on server 'lab' returned an error: the disk is full", await save.invoke({}).catch(thrown));
	await client.close();
}

{
	const client = new MCPClient({servers: {lab: program}});
	const {lab_save: save} = await client.listTools();
	console.error = () => {};
	same('Mastra', 'throws: the disk is full', await save.execute({}, {}).catch(thrown));
	await client.disconnect();
}
process.exit();
JS
