#!/usr/bin/env bash
# Guess: `bash -c 'echo hello' >file` as a command of an agent does what it does in any shell.
# What happens: gemini-cli takes `bash -c` away from the front of a command before it hands the rest to a bash of its own,
# and takes the quotes away only where they end the command. With anything behind them, a redirection or `&&`, it runs one
# word with a space in it: "echo hello: command not found", 127, and the file is made, empty. Claude and Codex run it.
# Who it hurts: anyone who writes commands for agents into instructions, skills or task files and wraps them for one shell: they
# work in two agents, and in the third the model is told that programs are missing.
# What to know: for gemini-cli leave the wrapper away, or put the words before it: `env bash -c '…' >file` works.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const commands = [
	`bash -c 'echo hello > alone'`,
	`bash -c 'echo hello' > redirected`,
	`bash -c 'echo hello > joined' && echo more >> joined`,
	`env bash -c 'echo hello' > behind-env`,
];
const files = ['alone', 'redirected', 'joined', 'behind-env'];
const whole = 'hello | hello | hello more | hello';
const expected = {claude: whole, codex: whole, gemini: 'hello |  | missing | hello'};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => ({parts: n <= commands.length ? [{run: commands[n - 1]}] : ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	await agent.prompt('Run it');
	const read = file => {
		try {
			return readFileSync(join(agent.work, file), 'utf8').trim().replace('\n', ' ');
		} catch {
			return 'missing';
		}
	};
	same(name, expected[name], files.map(read).join(' | '));
	await agent.close();
}
JS
