#!/usr/bin/env bash
# Guess: aliases are for people who type. No shell expands them in `bash -c`, so an agent's `rm old.txt` is /bin/rm, whatever
# the person's .bashrc makes of rm.
# What happens: Claude takes the person's aliases into its shell and has them expanded. Where .bashrc has `alias rm='rm -i'`,
# as root's has on RHEL and its kin, rm asks, reads the end of its input for an answer, removes nothing, and ends with 0;
# so do mv and cp over a file that is there. The call is completed. Codex has the aliases as well and expands none of them,
# and Gemini doesn't know them.
# Who it hurts: people who work with Claude on such machines and in such containers: what it removed, moved or copied back is
# as before, and it goes on as if that were done. In the other agents the same words do what they say.
# What to know: `command rm`, `\rm` or `rm -f` remove; or keep aliases behind `[[ $- == *i* ]]` in .bashrc.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {open, same} from './acp.mjs';

const commands = ['rm removed', 'mv new moved', 'cp new2 copied', 'command rm removed2'];
const files = ['removed', 'moved', 'copied', 'removed2'];
const expected = {
	claude: 'old, old, old, gone',
	codex: 'gone, new, new, gone',
	gemini: 'gone, new, new, gone',
};

for (const name of ['claude', 'codex', 'gemini']) {
	const agent = await open(
		name,
		n => ({parts: n <= commands.length ? [{run: commands[n - 1]}] : ['done']}),
		{
			...(name === 'claude' ? {mode: 'default'} : {}),
			prepare(work) {
				for (const file of ['new', 'new2']) writeFileSync(join(work, file), 'new');
				for (const file of files) writeFileSync(join(work, file), 'old');
				const aliases = ['rm', 'mv', 'cp'].map(program => `alias ${program}='${program} -i'\n`);
				writeFileSync(join(dirname(work), '.bashrc'), aliases.join(''));
			},
		},
	);
	await agent.prompt('Run it');
	const read = file => {
		try {
			return readFileSync(join(agent.work, file), 'utf8');
		} catch {
			return 'gone';
		}
	};
	same(`${name}: ${files.join(', ')}`, expected[name], files.map(read).join(', '));
	const ended = agent.events.filter(({update}) => ['completed', 'failed'].includes(update?.status));
	same(`${name}: calls are`, 'completed', [...new Set(ended.map(({update}) => update.status))].join());
	await agent.close();
}
JS
