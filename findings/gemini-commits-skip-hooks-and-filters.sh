#!/usr/bin/env bash
# Guess: a commit that an agent makes in its shell is made as by hand: the repository's hooks run, and the filters of the
# person's own settings, Git LFS for one, change what is stored.
# What happens: gemini-cli starts each command with core.hooksPath empty and without the person's and the machine's
# settings: no hook runs, not even one that would refuse, and files that a filter should have stored as pointers are stored
# as they are, exit 0, without a word. Claude's and Codex's commits run the hook and the filter.
# Who it hurts: teams whose hooks look for secrets, sign off or format, and repositories with LFS, where the large files are
# in the history for good once that is pushed.
# What to know: don't take an agent's commit for checked by hooks; make the commit yourself from the agent's tree, or look
# with `git lfs fsck --pointers`. Filters in the repository's own configuration (`git lfs install --local`) do run.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {execFileSync} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {open, same} from './acp.mjs';

const expected = {
	claude: {hook: 'ran', stored: 'pointer'},
	codex: {hook: 'ran', stored: 'pointer'},
	gemini: {hook: 'did not run', stored: 'large'},
};
for (const name of ['claude', 'codex', 'gemini']) {
	const commands = ['git add . && git commit --quiet --message two'];
	const reply = n => ({parts: n <= commands.length ? [{run: commands[n - 1]}] : ['done']});
	const agent = await open(name, reply, {mode: {claude: 'default', codex: 'agent-full-access'}[name]});
	const git = (...words) => execFileSync('git', words, {cwd: agent.work, encoding: 'utf8'}).trim();
	git('init', '--quiet', '--initial-branch=main');
	git('config', 'user.name', 'Someone');
	git('config', 'user.email', 'someone@example.com');
	writeFileSync(join(agent.work, '.gitattributes'), '*.bin filter=pointers\n');
	git('add', '.');
	git('commit', '--quiet', '--message', 'one');
	writeFileSync(join(agent.work, '.git/hooks/pre-commit'), '#!/bin/sh\n: >"$(git rev-parse --git-dir)/hook-ran"\n', {mode: 0o755});
	writeFileSync(join(dirname(agent.work), '.gitconfig'), '[filter "pointers"]\n\tclean = "echo pointer"\n');
	writeFileSync(join(agent.work, 'a.bin'), 'large\n');
	await agent.prompt('Commit it');
	same(name, expected[name], {
		hook: existsSync(join(agent.work, '.git/hook-ran')) ? 'ran' : 'did not run',
		stored: git('cat-file', '-p', 'HEAD:a.bin'),
	});
	same(`${name}: commits`, '2', git('rev-list', '--count', 'HEAD'));
	await agent.close();
}
JS
