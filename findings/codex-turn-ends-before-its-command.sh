#!/usr/bin/env bash
# Guess: a command that a turn has started in the foreground is over when the turn ends, and no update about a turn comes
# after the answer to its prompt.
# What happens: Codex tells its model after ten seconds that the command still runs. If the model then ends its turn, that is
# end_turn, with the call in progress: the command goes on, writes into the worktree, and the call is completed by updates
# that come after the answer. At the next prompt the model isn't told what came of it. Claude and Gemini wait for the command
# to end before they ask the model again. No & is in it.
# Who it hurts: anyone who takes end_turn for the moment to look, to commit or to run checks: half of a build or a formatter's run
# is in it, and the other half comes later, as nobody's.
# What to know: a turn of Codex is over when none of its calls is in progress, or when the client has ended the process.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {open, same, sleep} from './acp.mjs';

const command = 'sleep 20; echo late >written';
const expected = {
	claude: 'end_turn with call completed, written',
	codex: 'end_turn with call in_progress, not written',
	gemini: 'end_turn with call completed, written',
};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => ({parts: n === 1 ? [{run: command}] : ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	const {result} = await agent.prompt('Run it');
	const status = () => agent.events.findLast(({update}) => update?.toolCallId && update.status).update.status;
	const isWritten = () => (existsSync(join(agent.work, 'written')) ? 'written' : 'not written');
	const seen = `${result.stopReason} with call ${status()}, ${isWritten()}`;
	same(`${name}: when the prompt is answered`, expected[name], seen);
	if (name === 'codex') {
		while (status() !== 'completed') await sleep(200);
		same('codex: after that', 'call completed, written', `call ${status()}, ${isWritten()}`);
		await agent.prompt('And now?');
		const {body} = agent.events.findLast(({kind, isTurn}) => kind === 'request' && isTurn);
		const outputs = body.input.filter(({type}) => type === 'function_call_output');
		same('codex: results that the model has at the next prompt', 'Process running with session', outputs.map(({output}) => output.match(/Process \w+ with \w+/)[0]).join(', '));
	}

	await agent.close();
}
JS
