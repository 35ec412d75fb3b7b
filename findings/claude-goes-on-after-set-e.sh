#!/usr/bin/env bash
# Guess: `set -e` at the head of a command of several lines means to an agent's shell what it means to every other: the first
# line that fails ends the command, and the agent sees that it failed.
# What happens: Claude runs the command by `eval '…' && pwd`, and in what stands before an && a shell passes over errors,
# `set -e` or not. Every line runs, and what the last one says is the result: the call is completed, and the model is told
# nothing of the line that failed. In Codex and Gemini the same command ends at that line.
# Who it hurts: anyone who writes `set -e` into instructions, skills or runbooks that agents carry out: behind a build or a test
# that failed, the commit, the release or the clean-up follows, in one agent of three.
# What to know: join the lines with &&, or hand them to a shell of their own: `bash -e` with a file, or `bash -ec '…'`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const commands = {
	lines: 'set -e\nfalse\ntouch lines',
	options: 'set -euo pipefail; false | true; touch options',
	function: 'publish() { false; touch function; }; set -e; publish',
	and: 'false && touch and',
	shell: "bash -ec 'false; touch shell'",
};
const names = Object.keys(commands);
const expected = {
	claude: ['lines, options, function', 'completed, completed, completed, failed, failed'],
	codex: ['', 'failed, failed, failed, failed, failed'],
	// It calls each command completed.
	gemini: ['', 'completed, completed, completed, completed, completed'],
};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => ({parts: n <= names.length ? [{run: commands[names[n - 1]]}] : ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	await agent.prompt('Run it');
	const [reached, statuses] = expected[name];
	const isThere = file => existsSync(join(agent.work, file));
	same(`${name}: went on behind an error in`, reached, names.filter(isThere).join(', '));
	const ended = agent.events.filter(({update}) => ['completed', 'failed'].includes(update?.status));
	same(`${name}: calls are`, statuses, ended.map(({update}) => update.status).join(', '));
	await agent.close();
}
JS
