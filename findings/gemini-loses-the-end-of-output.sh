#!/usr/bin/env bash
# Guess: what a command prints and its agent's model reads are the same to the last line, or something says that it was cut.
# What happens: gemini-cli gives its model the beginning of an output of more than 4 KB and, more often than not, not the end:
# lines that were written right before the command ended are gone, without a word, and the result looks like that of a command
# that printed no more. So it is on Node 20 and 24.9. On 24.21 and 26.10, which read a terminal to its end, it is seldom and not
# never: we saw it three times in some hundred commands on a busy machine. Claude and Codex lose nothing.
# Who it hurts: agents that run tests, builds and searches: the end, where the failures are counted, is what is missing, and the
# next try has it. gemini-cli asks for no newer Node than 20.
# What to know: run gemini-cli on the newest Node, and have commands print less: with `| tail -n 50` the end was always there.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const times = 9;
const long = n => `seq 1 5000; echo END-${n}`;
const short = n => `seq 1 5000 | tail -n 50; echo END-${n}`;
const cases = [
	['claude', long, 'none'],
	['codex', long, 'none'],
	['gemini', long, 'some'],
	['gemini', short, 'none'],
];

for (const [name, command, lost] of cases) {
	const reply = n => ({parts: n <= times ? [{run: command(n)}] : ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	await agent.prompt('Run it');
	await agent.close();
	const {body} = agent.events.findLast(({kind, isTurn}) => kind === 'request' && isTurn);
	const results = JSON.stringify(body);
	const ends = Array.from({length: times}, (_, i) => `5000\\nEND-${i + 1}`);
	const missing = ends.filter(end => !results.includes(end)).length;
	same(`${name}, ${command('n')}: ends that the model lacks`, lost, missing > 0 ? 'some' : 'none');
}
JS
