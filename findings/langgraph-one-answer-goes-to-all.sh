#!/usr/bin/env bash
# Guess: where two tools, or two parallel nodes, each wait for an answer of a person (interrupt), LangGraph takes one answer for
# each: `new Command({resume: '/logs'})`, which names no question, is for the first, or is refused since it could be for either, as
# LangGraph for Python refuses it.
# What happens: LangGraph.js gives the one answer to all that wait. The person is asked where to put the logs and where to put the
# cache at once, answers the first, and the cache goes to the folder of the logs. A node that asks twice, one question
# after the other, is asked twice.
# Who it hurts: people who are shown the first of the open questions, as the examples with `__interrupt__[0]` do it, while an agent
# calls several tools that ask: the second question is never shown, and nothing says that it was answered.
# What to know: always answer by id, `new Command({resume: {[id]: '/logs'}})`: the others go on waiting.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @langchain/langgraph@1.7.3 @langchain/core@1.4.0 zod@4.6.7
own_home
run_module <<'JS'
import {AIMessage} from '@langchain/core/messages';
import {tool} from '@langchain/core/tools';
import {Command, MemorySaver, MessagesAnnotation, Send, START, StateGraph, interrupt} from '@langchain/langgraph';
import {ToolNode} from '@langchain/langgraph/prebuilt';
import {z} from 'zod';
import {same} from './acp.mjs';

const run = async answer => {
	const placed = [];
	const place = tool(
		({name}) => {
			placed.push(`${name}: ${interrupt(`where to put the ${name}?`)}`);
			return 'over';
		},
		{name: 'place', description: 'Puts it into a folder', schema: z.object({name: z.string()})},
	);
	const calls = ['logs', 'cache'].map(name => ({id: name, name: 'place', args: {name}}));
	const graph = new StateGraph(MessagesAnnotation)
		.addNode('tools', new ToolNode([place]))
		.addConditionalEdges(START, () => calls.map(call => new Send('tools', {lg_tool_call: call})))
		.compile({checkpointer: new MemorySaver()});
	const thread = {configurable: {thread_id: '1'}};
	const asked = await graph.invoke({messages: [new AIMessage({content: '', tool_calls: calls})]}, thread);
	const questions = asked.__interrupt__;
	const left = await graph.invoke(new Command({resume: answer(questions[0])}), thread);
	return {
		asked: questions.map(({value}) => value).join(' '),
		placed: placed.join(', '),
		waiting: (left.__interrupt__ ?? []).map(({value}) => value).join(' '),
	};
};

const asked = 'where to put the logs? where to put the cache?';
same('after an answer without an id', {asked, placed: 'logs: /logs, cache: /logs', waiting: ''}, await run(() => '/logs'));
const first = {asked, placed: 'logs: /logs', waiting: 'where to put the cache?'};
same('after an answer with the first id', first, await run(({id}) => ({[id]: '/logs'})));
JS
