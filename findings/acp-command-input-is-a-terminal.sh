#!/usr/bin/env bash
# Guess: a command that an agent runs for a client without a terminal has no terminal either, and what asks a question reads
# the end of its input at once.
# What happens: so it is with Claude and Codex, whose commands read /dev/null. Gemini gives each command a terminal of 80
# columns, input and output, at which nobody sits: a question waits for an answer that can't come.
# Who it hurts: the same `npm test` is over in one agent and stands still in another, since test runners that are given no
# word about it (Vitest) watch where their input is a terminal; and colours, spinners and pagers come with it.
# What to know: say "run" or set CI=1 in the commands that agents are told to use, and give them </dev/null.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

// What `read` says: 1 at the end of the input, more than 128 where the time was over.
const command = [
	'[ -t 0 ] && a="a terminal" || a=none; [ -t 1 ] && b="a terminal" || b=none',
	'read -t 2 answer; [ $? -gt 128 ] && c=waits || c="reads the end"',
	'echo "input $a, output $b, a question $c" >seen',
].join('; ');
const expected = {
	claude: 'input none, output none, a question reads the end\n',
	codex: 'input none, output none, a question reads the end\n',
	gemini: 'input a terminal, output a terminal, a question waits\n',
};
for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => ({parts: n === 1 ? [{run: command}] : ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	await agent.prompt('Run it');
	same(name, expected[name], readFileSync(join(agent.work, 'seen'), 'utf8'));
	await agent.close();
}
JS
