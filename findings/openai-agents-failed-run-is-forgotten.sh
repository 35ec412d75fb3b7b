#!/usr/bin/env bash
# Guess: a session of OpenAI's Agents SDK keeps the conversation for you. After a run that failed it holds at least what the person
# said, and the tool calls that were done with their results: so "go on" works.
# What happens: in JavaScript a run writes to the session when it ends well. If the model fails at its second request, or the run
# is at its maxTurns, the session is as it was before: neither the prompt nor the tools that ran are there, and the next
# run begins the work anew. A run that is aborted by its signal is kept, up to the last result.
# Who it hurts: people who say "go on" after an overloaded service: the model reads "go on" and nothing else. And people who run the
# prompt again: tools that have sent or written something do it a second time.
# What to know: after maxTurns `run(agent, error.state)` goes on where it stopped. An error of the model has no state: write down
# what was said and done yourself (agent.on('agent_tool_end')), and add it to the session.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @openai/agents@0.20.0 zod@4.6.7
own_home
run_module <<'JS'
import {Agent, MemorySession, Usage, run, setTracingDisabled, tool} from '@openai/agents';
import {z} from 'zod';
import {same} from './acp.mjs';

setTracingDisabled(true);
const call = [{type: 'function_call', callId: '1', name: 'send', arguments: '{}', status: 'completed'}];
const done = [{type: 'message', role: 'assistant', status: 'completed', content: [{type: 'output_text', text: 'done'}]}];
const told = items => items.map(({type, role, name, content}) => (type === 'message' || role ? `${role}: ${content[0]?.text ?? content}` : `${type} ${name}`)).join(', ');

const lab = (...answers) => {
	const lab = {sent: 0, read: [], stop: new AbortController()};
	const model = {
		async getResponse({input}) {
			lab.read.push(told([input].flat()));
			const answer = answers.shift();
			if (answer instanceof Error) throw answer;
			return {usage: new Usage(), output: answer, responseId: '1'};
		},
	};
	const send = () => {
		lab.sent += 1;
		if (answers[0] === 'abort') lab.stop.abort();
		return 'sent';
	};
	const tools = [tool({name: 'send', description: 'Sends it', parameters: z.object({}), execute: send})];
	return {lab, agent: new Agent({name: 'agent', model, tools}), session: new MemorySession()};
};
const whole = 'user: send it, function_call send, function_call_result send';
const failed = error => error;

for (const [why, answers, state, options] of [
	['the model failed', [call, new Error('overloaded'), done], 'is missing'],
	['maxTurns', [call, done], 'is there', {maxTurns: 1}],
]) {
	const {lab: seen, agent, session} = lab(...answers);
	const error = await run(agent, 'send it', {session, ...options}).catch(failed);
	same(`${why}: the tool ran`, 1, seen.sent);
	same(`${why}: the session`, '', told(await session.getItems()));
	const other = lab(done);
	await run(other.agent, 'go on', {session});
	same(`${why}: what the model reads next`, 'user: go on', other.lab.read[0]);
	same(`${why}: the state of the error`, state, error.state ? 'is there' : 'is missing');
}

const {lab: seen, agent, session} = lab(call, 'abort');
await run(agent, 'send it', {session, signal: seen.stop.signal}).catch(failed);
same('aborted: the session', whole, told(await session.getItems()));
JS
