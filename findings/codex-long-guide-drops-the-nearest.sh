#!/usr/bin/env bash
# Guess: of several AGENTS.md between the repository's root and the folder in which an agent works the nearest counts most, as those
# who made the format say. So if they are too long together, the general ones are cut, or all of them, and somebody is told.
# What happens: Codex joins AGENTS.md from the root down and stops after 32 KiB, without a word to the client or the model. With 32 KiB at
# the root the guide of the folder itself isn't read at all. Claude reads its own guides whole, in the same places.
# Who it hurts: monorepos whose root guide has grown: `packages/api/AGENTS.md`, which says how that package is tested, has
# no effect in Codex, although it's a few lines and the agent runs in that very folder.
# What to know: set `project_doc_max_bytes` in Codex's configuration, or keep the root's guide short.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0
own_home
run_module <<'JS'
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {open, same} from './acp.mjs';

const rule = 'A rule that says what to do with the code.\n';
const guides = {claude: 'CLAUDE.md', codex: 'AGENTS.md'};
const read = {
	claude: {10: 'root begins, root ends, nearest', 40: 'root begins, root ends, nearest'},
	codex: {10: 'root begins, root ends, nearest', 40: 'root begins'},
};

for (const [name, guide] of Object.entries(guides)) {
	for (const kilobytes of [10, 40]) {
		const prepare = work => {
			const root = dirname(work);
			execFileSync('git', ['init', '-q', root]);
			const rules = rule.repeat(Math.round((kilobytes * 1024) / rule.length));
			writeFileSync(join(root, guide), `The root begins.\n${rules}The root ends.\n`);
			writeFileSync(join(work, guide), 'The nearest guide.\n');
		};
		const agent = await open(name, () => ({parts: ['done']}), {prepare});
		await agent.prompt('Hello');
		const body = JSON.stringify(agent.events.find(({isTurn}) => isTurn).body);
		const marks = ['root begins', 'root ends', 'nearest'].filter(mark => body.includes(`The ${mark}`));
		same(`${name}: read, with ${kilobytes} KB at the root`, read[name][kilobytes], marks.join(', '));
		const told = agent.events.filter(({kind}) => kind !== 'request').some(event => /AGENTS\.md|truncat/.test(JSON.stringify(event)));
		same(`${name}: is the client told`, 'no', told ? 'yes' : 'no');
		await agent.close();
	}
}
JS
