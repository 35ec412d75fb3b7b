#!/usr/bin/env bash
# Guess: session/set_mode holds from the agent's answer on: ACP lets a client send it while the agent is at work, too. So
# anyone who sees an agent go astray and takes it down to asking or reading has it so for the next command.
# What happens: Claude asks for the next command of the same turn, Gemini doesn't run it, and Codex answers as quickly
# that the mode is set, and runs it with full access, unasked: the mode holds from the next turn on. Nothing tells so.
# Who it hurts: anyone who shows a switch of modes beside a running agent. With Codex it is thrown, and what is left of the
# turn, which may be an hour of commands, goes on as before.
# What to know: with Codex cancel the turn, set the mode, and prompt again.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {open, same, sleep} from './acp.mjs';

const modes = {
	claude: ['acceptEdits', 'default'],
	codex: ['agent-full-access', 'read-only'],
	gemini: ['yolo', 'plan'],
};
const expected = {
	claude: 'asked, not run',
	codex: 'not asked, run',
	gemini: 'not asked, not run',
};

for (const [name, [free, strict]] of Object.entries(modes)) {
	const turns = [[{run: 'sleep 3'}, {run: 'touch second.txt'}], [{run: 'touch third.txt'}]];
	const reply = (_, body) => ({
		parts: [turns[JSON.stringify(body).includes('Go on') ? 1 : 0].shift() ?? 'done'],
	});
	const agent = await open(name, reply, {mode: free, decision: 'reject_once'});
	const started = () => agent.events.some(({update}) => update?.sessionUpdate === 'tool_call');
	const asked = () => agent.events.some(({kind}) => kind === 'asked');
	const ran = file => existsSync(join(agent.work, file));

	const first = agent.prompt('Begin');
	while (!started()) await sleep(50);
	await sleep(500);
	same(`${name}: asked in ${free}`, false, asked());
	same(`${name}: answer to set_mode ${strict}`, {}, await agent.setMode(strict));
	await first;
	const what = `${asked() ? 'asked' : 'not asked'}, ${ran('second.txt') ? 'run' : 'not run'}`;
	same(`${name}: next command of the same turn`, expected[name], what);
	if (name === 'codex') {
		await agent.prompt('Go on');
		same('codex: a command of the next turn is run', false, ran('third.txt'));
	}

	await agent.close();
}
JS
