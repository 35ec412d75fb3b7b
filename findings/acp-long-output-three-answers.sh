#!/usr/bin/env bash
# Guess: of a command's long output the model gets the end at least, since that is where test runners and compilers say what
# failed, and no agent hands on all of it.
# What happens, with 390 KB: Claude gives its model the first 2 KB, and the path of a file that holds all; the end is not there.
# Codex gives the first and the last lines, some 40 KB. Gemini gives hundreds of KB, and each later request of the session
# carries them.
# Who it hurts: with Claude the verdict of a long test run is what the model doesn't see, unless it reads the file; with Gemini
# one noisy command costs a hundred thousand tokens at each step from then on, or the window is full.
# What to know: let checks that agents run be quiet, and end them in `| tail -n 50` with pipefail set.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {open, same} from './acp.mjs';

const command = "seq -f 'line-%05g of a test run that says much too much' 8000; echo LAST: 1 failed";
const expected = {
	claude: 'the first lines, 2 KB',
	codex: 'the first lines, the last line, 39 KB',
	// Whether it has the end as well is a matter of luck: see gemini-loses-the-end-of-output.
	gemini: 'the first lines, the middle, more than 300 KB',
};

for (const name of ['claude', 'codex', 'gemini']) {
	const reply = n => ({parts: n === 1 ? [{run: command}] : ['done']});
	const agent = await open(name, reply, name === 'claude' ? {mode: 'default'} : {});
	await agent.prompt('Run it');
	const {body} = agent.events.filter(({kind, isTurn}) => kind === 'request' && isTurn)[1];
	const text = JSON.stringify(body).replaceAll(command, '');
	const parts = [
		[/line-00001/, 'the first lines'],
		[/line-04000/, 'the middle'],
		[/LAST: 1 failed/, 'the last line'],
	].filter(([pattern, part]) => pattern.test(text) && !(name === 'gemini' && part === 'the last line'));
	const lines = text.match(/line-\d{5} of a test run that says much too much/g);
	const size = Math.round((lines.length * lines[0].length) / 1000);
	same(name, expected[name], [...parts.map(([, part]) => part), size > 300 ? 'more than 300 KB' : `${size} KB`].join(', '));
	await agent.close();
}
JS
