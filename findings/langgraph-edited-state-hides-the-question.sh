#!/usr/bin/env bash
# Guess: a thread of LangGraph that waits for a person's answer (interrupt) is listed as waiting, with its question, until the answer has
# come. An edit of its state meanwhile, by `updateState`, changes the state.
# What happens: after any edit, of whatever key, getState lists no question any more, though the same node is next and takes an answer
# as before. An answer to the question's id is dropped, and the same question asked again under another id; one without an id
# is taken.
# Who it hurts: anyone who has a list of open questions from getState, as every inbox of agents is made: a person corrects a title, and
# the agent waits for an answer that nobody knows of.
# What to know: after updateState call invoke(null) on a thread that waits, and put the question with its new id back in the list.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @langchain/langgraph@1.7.3 @langchain/core@1.4.0
own_home
run_module <<'JS'
import {Annotation, Command, MemorySaver, START, StateGraph, interrupt} from '@langchain/langgraph';
import {same} from './acp.mjs';

const State = Annotation.Root({title: Annotation(), answer: Annotation()});
const graph = new StateGraph(State)
	.addNode('ask', () => ({answer: interrupt('publish it?')}))
	.addEdge(START, 'ask')
	.compile({checkpointer: new MemorySaver()});

const waiting = async id => {
	const thread = {configurable: {thread_id: id}};
	const {__interrupt__: [question]} = await graph.invoke({title: 'Tilte'}, thread);
	const listed = async () => {
		const {next, tasks} = await graph.getState(thread);
		return {next: next.join(), questions: tasks.flatMap(({interrupts}) => interrupts).map(({value}) => value).join()};
	};
	return {thread, question, listed};
};
const told = ({answer, __interrupt__ = []}) => (__interrupt__.length > 0 ? `asks: ${__interrupt__[0].value}` : `answered: ${answer}`);

{
	const {thread, listed} = await waiting('1');
	same('before the edit', {next: 'ask', questions: 'publish it?'}, await listed());
	await graph.updateState(thread, {title: 'Title'});
	same('after the edit', {next: 'ask', questions: ''}, await listed());
	same('an answer without an id', 'answered: yes', told(await graph.invoke(new Command({resume: 'yes'}), thread)));
}
{
	const {thread, question} = await waiting('2');
	await graph.updateState(thread, {title: 'Title'});
	same('an answer to the id of the question', 'asks: publish it?', told(await graph.invoke(new Command({resume: {[question.id]: 'yes'}}), thread)));
}
{
	const {thread, question, listed} = await waiting('3');
	await graph.updateState(thread, {title: 'Title'});
	const {__interrupt__: [again]} = await graph.invoke(null, thread);
	same('invoke(null): the question, and its id', ['publish it?', 'another'], [again.value, again.id === question.id ? 'the same' : 'another']);
	same('and the list', {next: 'ask', questions: 'publish it?'}, await listed());
}
JS
