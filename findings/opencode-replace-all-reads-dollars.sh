#!/usr/bin/env bash
# Guess: the new text of an agent's edit is written as it is, whether it replaces one place or all of them.
# What happens: opencode writes it as it is where it replaces one place. With replaceAll it takes `$$`, `$&` and their kin in the
# new text for patterns, as JavaScript's replaceAll does: `$$` becomes `$`, and `$&` the old text. So `kill $$` becomes `kill $`.
# The call is completed, and the model reads that the edit was applied. Claude writes the text as it is in both cases.
# Who it hurts: agents that edit shell scripts, Makefiles (`$$HOME`), SQL (`$$` around a function's body), regular expressions
# and templates: what is in the file isn't what the model wrote, and the model has no reason to look again.
# What to know: let opencode write such texts place by place, without replaceAll, or by its write tool.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 opencode-ai@1.18.33
own_home
run_module <<'JS'
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const text = "kill $$ $& $'";
const agents = {
	claude: {
		mode: 'bypassPermissions',
		read: file => ['Read', {file_path: file}],
		edit: (file, all) => ['Edit', {file_path: file, old_string: 'STOP', new_string: text, replace_all: all}],
	},
	opencode: {
		read: file => ['read', {filePath: file}],
		edit: (file, all) => ['edit', {filePath: file, oldString: 'STOP', newString: text, replaceAll: all}],
	},
};
const written = {claude: [text, text], opencode: [text, 'kill $ STOP ;']};

for (const [name, {mode, read, edit}] of Object.entries(agents)) {
	for (const all of [false, true]) {
		let file;
		const reply = n => ({parts: [n === 1 ? {own: read(file)} : n === 2 ? {own: edit(file, all)} : 'done']});
		const prepare = work => {
			file = join(work, 'run.sh');
			writeFileSync(file, 'STOP;');
		};
		const agent = await open(name, reply, {mode, prepare});
		await agent.prompt('Stop by kill');
		same(`${name}: written for ${all ? 'all places' : 'one place'}`, `${written[name][Number(all)]};`, readFileSync(file, 'utf8'));
		await agent.close();
	}
}
JS
