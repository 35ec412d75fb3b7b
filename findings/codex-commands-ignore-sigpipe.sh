#!/usr/bin/env bash
# Guess: a command that an agent runs has the signals of any other command: `yes | head -1` ends by SIGPIPE, without a word,
# and is 141 to a shell with pipefail.
# What happens: the sandbox of Codex starts commands with SIGPIPE ignored, and a shell can't set back what was ignored when
# it began. The writer gets an error instead: "yes: standard output: Broken pipe", and 1. Without the sandbox
# (agent-full-access), and by Claude and Gemini, it is 141 as elsewhere.
# Who it hurts: scripts and test suites that take 141 for a reader that has seen enough, or that expect silence on standard
# error; programs that ignore errors of writing go on where the signal would have ended them.
# What to know: `env --default-signal=PIPE COMMAND` gives one command its signal back.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const pipe = command =>
	`(set -o pipefail; ${command} 2>error | head -1 >/dev/null; echo "exit $?"; cat error)`;
const quiet = 'exit 141\n';
const expected = [
	['claude', 'default', quiet],
	['codex', undefined, 'exit 1\nyes: standard output: Broken pipe\n'],
	['codex', 'agent-full-access', quiet],
	['gemini', undefined, quiet],
];
for (const [name, mode, seen] of expected) {
	const commands = [`${pipe('yes')} >seen`, `${pipe('env --default-signal=PIPE yes')} >mended`];
	const reply = n => ({parts: n <= commands.length ? [{run: commands[n - 1]}] : ['done']});
	const agent = await open(name, reply, mode ? {mode} : {});
	await agent.prompt('Run it');
	const read = file => readFileSync(join(agent.work, file), 'utf8');
	const how = `${name}${mode ? ` in mode ${mode}` : ''}`;
	same(`${how}: yes | head -1`, seen, read('seen'));
	same(`${how}: with the default signal`, quiet, read('mended'));
	await agent.close();
}
JS
