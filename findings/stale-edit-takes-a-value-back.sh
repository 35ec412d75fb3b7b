#!/usr/bin/env bash
# Guess: an agent's edit names the old text that it replaces. Where that text isn't in the file any more, since a person has
# changed a value in it meanwhile, the edit fails, and the agent has to read the file again. opencode's own error says that
# the text must match exactly.
# What happens: the agent read `charge(order, 100)`, a person makes it 250, and the agent removes the line above, with the old
# line 100 as part of the text around it. Claude and Codex refuse. opencode and Gemini look for a block that is similar enough,
# apply the edit to it, and so write 100 again: the person's change is gone, and the call is completed. Gemini tells its model
# "Applied fuzzy match", opencode only that the edit was applied.
# Who it hurts: a person who corrects a number, a flag or a name beside a running agent: the agent's next edit nearby undoes it.
# What to know: edit in the agent's folder only between turns, or look for your own change in the diff afterwards.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0 opencode-ai@1.18.33
own_home
run_module <<'JS'
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const code = amount => `function pay(order) {\n  check(order);\n  log(order);\n  charge(order, ${amount});\n  return order;\n}\n`;
const [old, edited] = ['  log(order);\n  charge(order, 100);\n  return order;', '  charge(order, 100);\n  return order;'];
const patch = `*** Begin Patch\n*** Update File: pay.js\n@@\n-  log(order);\n   charge(order, 100);\n   return order;\n*** End Patch\n`;

/** For each agent: its mode, how its model reads a file and how it edits one, and what is left at the end. */
const agents = {
	claude: {
		mode: 'bypassPermissions',
		read: file => ({own: ['Read', {file_path: file}]}),
		edit: file => ({own: ['Edit', {file_path: file, old_string: old, new_string: edited}]}),
		left: code(250),
	},
	codex: {
		mode: 'agent-full-access',
		read: () => ({run: 'cat pay.js'}),
		edit: () => ({own: ['apply_patch', patch]}),
		left: code(250),
	},
	gemini: {
		mode: 'yolo',
		read: file => ({own: ['read_file', {file_path: file}]}),
		edit: file => ({own: ['replace', {file_path: file, instruction: 'Remove the log', old_string: old, new_string: edited}]}),
		left: code(100).replace('  log(order);\n', ''),
	},
	opencode: {
		read: file => ({own: ['read', {filePath: file}]}),
		edit: file => ({own: ['edit', {filePath: file, oldString: old, newString: edited}]}),
		left: code(100).replace('  log(order);\n', ''),
	},
};

for (const [name, {mode, read, edit, left}] of Object.entries(agents)) {
	let file;
	const reply = n => {
		if (n === 2) writeFileSync(file, code(250));
		return {parts: [n === 1 ? read(file) : n === 2 ? edit(file) : 'done']};
	};
	const prepare = work => {
		file = join(work, 'pay.js');
		writeFileSync(file, code(100));
	};
	const agent = await open(name, reply, {mode, prepare});
	await agent.prompt('Remove the log');
	const lines = text => text.replace(/\n+/g, '\n').trim().split('\n').map(line => line.trim()).join(' / ');
	same(`${name}: the file after the edit`, lines(left), lines(readFileSync(file, 'utf8')));
	await agent.close();
}
JS
