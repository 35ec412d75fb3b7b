#!/usr/bin/env bash
# Guess: with `includeIf.gitdir:~/agents/` the settings for what is in ~/agents hold in each folder there, linked worktrees too:
# it is the way that the manual shows to have a name and a key for each folder.
# What happens: what counts is where the repository's git folder is. A worktree in ~/agents of a repository in ~/private has the
# settings of ~/private, and a worktree elsewhere of a repository in ~/agents has those of ~/agents. And a pattern for one
# repository, gitdir:~/private/app/.git, holds in the checkout and in none of its worktrees.
# Who it hurts: whoever keeps agents' worktrees in a folder of their own, with a name, without signing and without hooks there:
# the agents commit as the person, sign with the person's key, and push to where the person does.
# What to know: git 2.56 has `includeIf.worktree:`. Until then use `git config --worktree`, or variables of the environment.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_newer_git git=2.55.0-1 9a1ece2d830d6bbd235f237adf1ea5a5b3bb714aff79f1048a55039fea7d3e64
git --version
unset "${!GIT_AUTHOR_@}" "${!GIT_COMMITTER_@}"
git config --global user.email someone@example.com
for name in Agent Person Repository; do printf '[user]\n\tname = %s\n' "$name" >"$T/$name"; done
git config --global "includeIf.gitdir:$T/private/.path" "$T/Person"
git config --global "includeIf.gitdir:$T/agents/.path" "$T/Agent"
git init -q -b main "$T/private/app"
git init -q -b main "$T/agents/tool"
git init -q -b main "$T/agents/clone"

# The name of a commit that is made in a folder.
author() {
	git -C "$T/$1" commit -q --allow-empty -m work
	git -C "$T/$1" log -1 --format=%an
}
same 'a commit in private/app' 'Person' "$(author private/app)"
same 'one in agents/clone' 'Agent' "$(author agents/clone)"
git -C "$T/private/app" worktree add -q "$T/agents/app"
same 'one in agents/app, a worktree of private/app' 'Person' "$(author agents/app)"
author agents/tool >"$T/log"
git -C "$T/agents/tool" worktree add -q "$T/private/tool"
same 'one in private/tool, a worktree of agents/tool' 'Agent' "$(author private/tool)"

git config --global "includeIf.gitdir:$T/private/app/.git.path" "$T/Repository"
same 'with settings for private/app/.git: one in private/app' 'Repository' "$(author private/app)"
same 'one in its worktree' 'Person' "$(author agents/app)"
