#!/usr/bin/env bash
# Guess: where two tools, or two parallel nodes, each wait for an answer of a person (interrupt), LangGraph asks for one answer
# each: `new Command({resume: 'yes'})`, which names no question, is for the first, or is refused since it could be for either.
# What happens: LangGraph.js gives the one answer to all that wait. The person is asked "delete cache?" and "delete backup?" at
# once, says yes to the first, and both are deleted. A node that asks twice, one question after the other, is asked twice.
# Who it hurts: whoever shows the first of the open questions, as the examples with `__interrupt__[0]` do, and lets an agent call
# several tools that need a leave: one leave is given for all, and nothing says so.
# What to know: always answer by id, `new Command({resume: {[id]: 'yes'}})`: the others go on waiting.
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
	const deleted = [];
	const remove = tool(
		({name}) => {
			if (interrupt(`delete ${name}?`) === 'yes') deleted.push(name);
			return 'over';
		},
		{name: 'remove', description: 'Deletes a folder', schema: z.object({name: z.string()})},
	);
	const calls = ['cache', 'backup'].map(name => ({id: name, name: 'remove', args: {name}}));
	const graph = new StateGraph(MessagesAnnotation)
		.addNode('tools', new ToolNode([remove]))
		.addConditionalEdges(START, () => calls.map(call => new Send('tools', {lg_tool_call: call})))
		.compile({checkpointer: new MemorySaver()});
	const thread = {configurable: {thread_id: '1'}};
	const asked = await graph.invoke({messages: [new AIMessage({content: '', tool_calls: calls})]}, thread);
	const questions = asked.__interrupt__;
	const left = await graph.invoke(new Command({resume: answer(questions[0])}), thread);
	return {
		asked: questions.map(({value}) => value).join(' '),
		deleted: deleted.join(' '),
		waiting: (left.__interrupt__ ?? []).map(({value}) => value).join(' '),
	};
};

const asked = 'delete cache? delete backup?';
same('after a yes without an id', {asked, deleted: 'cache backup', waiting: ''}, await run(() => 'yes'));
same('after a yes with the first id', {asked, deleted: 'cache', waiting: 'delete backup?'}, await run(({id}) => ({[id]: 'yes'})));
JS
