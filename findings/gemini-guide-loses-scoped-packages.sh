#!/usr/bin/env bash
# Guess: a guide for agents may import other files by `@path`. Words that begin with an @ and name no file, as the package in
# `npm i @acme/build` or a team, reach the model as they stand.
# What happens: Gemini takes each word with an @ before it for an import, also in the middle of a line, and where there is no such
# file puts "<!-- Import failed: acme/build - ENOENT …" in the word's place; for the alias `@/lib` it says "Path traversal attempt".
# Punctuation behind a word is part of its name. Only what stands in backquotes is left alone. Claude leaves the words as they are.
# Who it hurts: projects with packages of a scope of their own, path aliases (`@/lib`) or code owners in GEMINI.md, or in AGENTS.md
# where it is set as Gemini's guide: the model reads a command without the name of the package, and nobody is told.
# What to know: put each such word into backquotes, and commands into fenced blocks.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {open, same} from './acp.mjs';

const lines = ['Install it by npm i @acme/build, then', 'import from @/lib and ask @acme-team.', 'In backquotes: `@acme/build`', '@more.md'];
const imports = {claude: 'CLAUDE.md', gemini: 'GEMINI.md'};
const failed = (name, work) => `<!-- Import failed: ${name} - ENOENT: no such file or directory, access '${work}' -->`;
const read = {
	claude: () => lines.slice(0, 3),
	gemini: work => [
		`Install it by npm i ${failed('acme/build,', join(work, 'acme/build,'))} then`,
		`import from <!-- Import failed: /lib - Path traversal attempt --> and ask ${failed('acme-team.', join(work, 'acme-team.'))}`,
		lines[2],
	],
};

for (const [name, guide] of Object.entries(imports)) {
	const prepare = work => {
		writeFileSync(join(work, guide), `${lines.join('\n')}\n`);
		writeFileSync(join(work, 'more.md'), 'Words of the imported file\n');
	};
	const agent = await open(name, () => ({parts: ['done']}), {prepare});
	await agent.prompt('Hello');
	const text = [];
	JSON.stringify(agent.events.find(({isTurn}) => isTurn).body, (_, value) => {
		if (typeof value === 'string' && value.includes('Install it by')) text.push(value);
		return value;
	});
	const at = text[0].indexOf('Install it by');
	const sent = text[0].slice(at).split('\n').slice(0, 3);
	const plain = all => all.join(' | ').replaceAll(agent.work, '…');
	same(`${name}: what its model reads of the guide`, plain(read[name](agent.work)), plain(sent));
	same(`${name}: the imported file`, 'is there', JSON.stringify(agent.events).includes('Words of the imported file') ? 'is there' : 'is missing');
	await agent.close();
}
JS
