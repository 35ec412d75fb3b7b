#!/usr/bin/env bash
# Guess: when one of several parallel nodes fails, LangGraph waits until the others have ended, by themselves or by their signal,
# before `invoke` rejects. So `invoke(null)`, which goes on from the checkpoint, starts nothing that still runs.
# What happens: LangGraph.js aborts the signal of the others and rejects at once. A node that takes no signal, as most do, or that
# needs a moment to stop, runs on; what it gives is dropped, and the next invoke starts it a second time, beside the first.
# Who it hurts: agents whose nodes take a while and do something (a build, an upload, an agent of their own in a worktree): after
# one failure and a retry two of them work in one folder, and the result of the first is in no state.
# What to know: hand the signal of a node on to all that it starts. Before a retry wait yourself until every node has ended; or let
# nodes catch their own errors and return them.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @langchain/langgraph@1.7.3 @langchain/core@1.4.0
own_home
run_module <<'JS'
import {Annotation, MemorySaver, START, StateGraph} from '@langchain/langgraph';
import {same} from './acp.mjs';

const State = Annotation.Root({done: Annotation({reducer: (a, b) => a.concat(b), default: () => []})});
const log = [];
const ends = [];
const failed = Promise.withResolvers();
let fails = true;

const graph = new StateGraph(State)
	.addNode('quick', () => {
		log.push('quick');
		return {done: ['quick']};
	})
	.addNode('build', async (_, {signal}) => {
		const number = log.filter(line => line.startsWith('build begins')).length + 1;
		log.push(`build begins (${number})`);
		const end = Promise.withResolvers();
		ends.push({signal, ...end});
		await end.promise;
		log.push(`build ends (${number})`);
		return {done: [`build ${number}`]};
	})
	.addNode('lint', async () => {
		if (fails) throw new Error('lint failed');
		return {done: ['lint']};
	})
	.addEdge(START, 'quick')
	.addEdge(START, 'build')
	.addEdge(START, 'lint')
	.compile({checkpointer: new MemorySaver()});

const thread = {configurable: {thread_id: '1'}};
same('the first invoke', 'lint failed', await graph.invoke({}, thread).catch(error => error.message));
same('the signal of the build that runs on', 'aborted', ends[0].signal.aborted ? 'aborted' : 'as before');
fails = false;
const again = graph.invoke(null, thread);
for (let times = 0; ends.length < 2 && times < 3000; times += 1) await new Promise(resolve => setTimeout(resolve, 10));
same('what has run so far', 'build begins (1), build begins (2), quick', [...log].sort().join(', '));
for (const {resolve} of ends) resolve();
same('the state at the end', 'build 2, lint, quick', [...(await again).done].sort().join(', '));
same('builds that have ended', 'build ends (1), build ends (2)', log.filter(line => line.includes('ends')).sort().join(', '));
JS
