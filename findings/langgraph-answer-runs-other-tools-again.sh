#!/usr/bin/env bash
# Guess: LangGraph's manual says that a node which asked a person (interrupt) begins anew with the answer. What is prebuilt takes
# care of that: where a model calls two tools at once and one of them asks, the other, which has run and ended, stays done.
# What happens: in `ToolNode`, and in `createReactAgent` unless it is told `version: 'v2'`, all calls of an answer are one node. With
# the person's answer the tool that was done runs a second time: what it paid, sent or wrote is paid, sent or written
# twice, and the messages show one call and one result. With v2 it runs once.
# Who it hurts: anyone who lets a model call tools side by side and has one of them ask first: the harm is done by the tool
# that never asked, after the person agreed to something else.
# What to know: give createReactAgent `version: 'v2'`; in a graph of your own send each call to the node by itself, by `Send`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @langchain/langgraph@1.7.3 @langchain/core@1.4.0 zod@4.6.7
own_home
run_module <<'JS'
import {BaseChatModel} from '@langchain/core/language_models/chat_models';
import {AIMessage} from '@langchain/core/messages';
import {tool} from '@langchain/core/tools';
import {Command, MemorySaver, interrupt} from '@langchain/langgraph';
import {createReactAgent} from '@langchain/langgraph/prebuilt';
import {z} from 'zod';
import {same} from './acp.mjs';

class Model extends BaseChatModel {
	answers = [
		new AIMessage({content: '', tool_calls: ['pay', 'remove'].map(name => ({id: name, name, args: {}}))}),
		new AIMessage('done'),
	];
	_llmType() {
		return 'lab';
	}
	bindTools() {
		return this;
	}
	async _generate() {
		return {generations: [{text: '', message: this.answers.shift()}]};
	}
}

for (const [version, expected] of [[undefined, 'pay, pay, remove'], ['v1', 'pay, pay, remove'], ['v2', 'pay, remove']]) {
	const ran = [];
	const pay = () => {
		ran.push('pay');
		return 'paid';
	};
	const remove = () => {
		interrupt('remove it?');
		ran.push('remove');
		return 'removed';
	};
	const tools = [pay, remove].map(work => tool(work, {name: work.name, description: 'A tool', schema: z.object({})}));
	const agent = createReactAgent({llm: new Model({}), tools, checkpointer: new MemorySaver(), ...(version && {version})});
	const thread = {configurable: {thread_id: '1'}};
	await agent.invoke({messages: [{role: 'user', content: 'pay and remove'}]}, thread);
	const {messages} = await agent.invoke(new Command({resume: 'yes'}), thread);
	same(`${version ?? 'without a version'}: what ran`, expected, ran.join(', '));
	same('the results in the messages', 'paid, removed', messages.filter(it => it.getType() === 'tool').map(it => it.content).join(', '));
}
JS
