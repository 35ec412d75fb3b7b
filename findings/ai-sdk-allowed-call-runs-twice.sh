#!/usr/bin/env bash
# Guess: a tool call that a person allowed runs once. Where the model can't be reached right after it, a retry of the step goes on
# behind the tool, whose result is kept somewhere. And where two calls ask and one is answered, the SDK asks for the other
# again, or refuses before anything has run.
# What happens: generateText of the AI SDK runs allowed tools before all else. If the model then fails, it throws, and the result is
# nowhere: not in the error, and the messages are the caller's. The same call again, which is the retry that everybody writes, runs
# the tool again, by the same approval. With one answer of two it runs the allowed call, and then throws "Tool result is missing
# for tool call"; with both answers that call runs again. Agents of OpenAI's SDK keep results in their state, and LangGraph
# in its checkpoint: there nothing runs twice.
# Who it hurts: anyone who asks before payments, pushes and deletions, and retries when the service is overloaded, or sends each decision
# on as it is made: what was allowed once is done twice, or as often as it takes.
# What to know: keep the results of tools by their toolCallId, in `execute`, and give the kept one back the second time. Collect all
# answers of a step before you call generateText with them.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 ai@7.0.173 @openai/agents@0.20.0 @langchain/langgraph@1.7.3 @langchain/core@1.4.0 zod@4.6.7
own_home
run_module <<'JS'
import {BaseChatModel} from '@langchain/core/language_models/chat_models';
import {AIMessage} from '@langchain/core/messages';
import {tool as langChainTool} from '@langchain/core/tools';
import {Command, MemorySaver, interrupt} from '@langchain/langgraph';
import {createReactAgent} from '@langchain/langgraph/prebuilt';
import {Agent, Usage, run, setTracingDisabled, tool as agentsTool} from '@openai/agents';
import {generateText, tool} from 'ai';
import {MockLanguageModelV4} from 'ai/test';
import {z} from 'zod';
import {same} from './acp.mjs';

const nothing = z.object({});
const failed = error => error.message;

/** The model's answers in turn: it calls the tool, then it can't be reached, then it is done. */
const answers = (call, done) => {
	const all = [call, new Error('overloaded'), done];
	return () => {
		const next = all.shift();
		if (next instanceof Error) throw next;
		return next;
	};
};

/** An answer of a model in the AI SDK's form. */
const answer = (content, unified) => ({
	content,
	finishReason: {unified},
	usage: {inputTokens: {total: 1}, outputTokens: {total: 1}},
	warnings: [],
});

const sdks = {
	async 'the AI SDK'(pay) {
		const call = {type: 'tool-call', toolCallId: '1', toolName: 'pay', input: '{}'};
		const next = answers(answer([call], 'tool-calls'), answer([{type: 'text', text: 'done'}], 'stop'));
		const options = {
			model: new MockLanguageModelV4({doGenerate: async () => next()}),
			tools: {pay: tool({inputSchema: nothing, execute: pay})},
			toolApproval: {pay: 'user-approval'},
			maxRetries: 0,
		};
		const asking = {role: 'user', content: 'pay'};
		const {content, response} = await generateText({...options, messages: [asking]});
		const {approvalId} = content.find(({type}) => type === 'tool-approval-request');
		const approval = {role: 'tool', content: [{type: 'tool-approval-response', approvalId, approved: true}]};
		const messages = [asking, ...response.messages, approval];
		const before = JSON.stringify(messages);
		const error = await generateText({...options, messages}).catch(failed);
		same('the messages of the AI SDK after the failure', 'as before', JSON.stringify(messages) === before ? 'as before' : 'others');
		return [error, (await generateText({...options, messages})).text];
	},
	async "OpenAI's SDK"(pay) {
		setTracingDisabled(true);
		const said = [{type: 'output_text', text: 'done'}];
		const next = answers(
			[{type: 'function_call', callId: '1', name: 'pay', arguments: '{}', status: 'completed'}],
			[{type: 'message', role: 'assistant', status: 'completed', content: said}],
		);
		const model = {getResponse: async () => ({usage: new Usage(), output: next(), responseId: '1'})};
		const description = 'Pays';
		const tools = [agentsTool({name: 'pay', description, parameters: nothing, needsApproval: true, execute: pay})];
		const agent = new Agent({name: 'agent', model, tools});
		const {interruptions, state} = await run(agent, 'pay');
		state.approve(interruptions[0]);
		return [await run(agent, state).catch(failed), (await run(agent, state)).finalOutput];
	},
	async LangGraph(pay) {
		const next = answers(
			new AIMessage({content: '', tool_calls: [{id: '1', name: 'pay', args: {}}]}),
			new AIMessage('done'),
		);
		class Model extends BaseChatModel {
			_llmType() {
				return 'lab';
			}
			bindTools() {
				return this;
			}
			async _generate() {
				return {generations: [{text: '', message: next()}]};
			}
		}
		const work = () => (interrupt('pay?') === 'yes' ? pay() : 'refused');
		const tools = [langChainTool(work, {name: 'pay', description: 'Pays', schema: nothing})];
		const agent = createReactAgent({llm: new Model({}), tools, checkpointer: new MemorySaver()});
		const thread = {configurable: {thread_id: '1'}};
		await agent.invoke({messages: [{role: 'user', content: 'pay'}]}, thread);
		const error = await agent.invoke(new Command({resume: 'yes'}), thread).catch(failed);
		return [error, (await agent.invoke(null, thread)).messages.at(-1).content];
	},
};

for (const [name, expected] of [['the AI SDK', 2], ["OpenAI's SDK", 1], ['LangGraph', 1]]) {
	let paid = 0;
	const pay = () => {
		paid += 1;
		return 'paid';
	};
	same(`${name}: the first try, and the second`, ['overloaded', 'done'], await sdks[name](pay));
	same(`${name}: how often the tool ran`, expected, paid);
}

const names = ['cache', 'backup'];
const named = z.object({name: z.string()});
const removed = [];
const execute = ({name}) => {
	removed.push(name);
	return 'removed';
};

{
	const call = name => ({type: 'tool-call', toolCallId: name, toolName: 'remove', input: JSON.stringify({name})});
	const answers = [answer(names.map(call), 'tool-calls'), answer([{type: 'text', text: 'done'}], 'stop')];
	let asked = 0;
	const doGenerate = async () => {
		asked += 1;
		return answers.shift();
	};
	const tools = {remove: tool({inputSchema: named, execute})};
	const model = new MockLanguageModelV4({doGenerate});
	const options = {model, tools, toolApproval: {remove: 'user-approval'}};
	const asking = {role: 'user', content: 'remove both'};
	const {content, response} = await generateText({...options, messages: [asking]});
	const ids = content.filter(({type}) => type === 'tool-approval-request').map(({approvalId}) => approvalId);
	const decide = async count => {
		const approvals = ids.slice(0, count).map(approvalId => ({type: 'tool-approval-response', approvalId, approved: true}));
		const messages = [asking, ...response.messages, {role: 'tool', content: approvals}];
		return generateText({...options, messages}).then(({text}) => text, error => error.message);
	};
	same('AI SDK: with one answer of two', 'Tool result is missing for tool call backup.', await decide(1));
	same('AI SDK: removed, and requests to the model', ['cache', 1], [removed.join(', '), asked]);
	same('AI SDK: with both', 'done', await decide(2));
	same('AI SDK: removed', 'cache, cache, backup', removed.join(', '));
}

{
	removed.length = 0;
	const call = name => ({type: 'function_call', callId: name, name: 'remove', arguments: JSON.stringify({name}), status: 'completed'});
	const done = {type: 'message', role: 'assistant', status: 'completed', content: [{type: 'output_text', text: 'done'}]};
	const answers = [names.map(call), [done]];
	const model = {getResponse: async () => ({usage: new Usage(), output: answers.shift(), responseId: '1'})};
	const tools = [agentsTool({name: 'remove', description: 'Removes it', parameters: named, needsApproval: true, execute})];
	const agent = new Agent({name: 'agent', model, tools});
	let result = await run(agent, 'remove both');
	for (const open of [1, 0]) {
		result.state.approve(result.interruptions[0]);
		result = await run(agent, result.state);
		same("OpenAI's SDK: removed, and open questions", [open ? 'cache' : 'cache, backup', open], [removed.join(', '), result.interruptions.length]);
	}
	same("OpenAI's SDK: at the end", 'done', result.finalOutput);
}
JS
