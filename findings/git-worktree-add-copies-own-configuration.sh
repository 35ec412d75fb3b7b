#!/usr/bin/env bash
# Guess: `git config --worktree` sets something for one worktree. A new worktree begins with what the repository has, and it
# makes no difference in which worktree `git worktree add` is called.
# What happens: the new worktree gets a copy of all that was set for the worktree in which the command runs: its name and
# address, its hooks path. Called in the main checkout the same command copies what was set for the main checkout by --worktree.
# The manual of `git worktree` doesn't mention it.
# Who it hurts: anyone who gives each agent's worktree settings of its own: an agent that makes a worktree for another, or a person
# who does so from a worktree, gets one whose commits are made under the first one's name, and without the hooks of the
# repository.
# What to know: call `git -C CHECKOUT worktree add` from a checkout for which nothing is set by --worktree, or look at `git
# config --worktree --list` in each new worktree.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
unset GIT_AUTHOR_NAME GIT_COMMITTER_NAME
git config --global user.name Person
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -q --allow-empty -m start
git config extensions.worktreeConfig true
git worktree add -q -b one "$T/one"
cd "$T/one"
git config --worktree user.name 'Agent one'
git config --worktree core.hooksPath /dev/null

# The name and the hooks path in a new worktree, made from a folder.
made() {
	git -C "$T/$1" worktree add -q -b "$2" "$T/$2"
	git -C "$T/$2" commit -q --allow-empty -m work
	printf '%s, %s' "$(git -C "$T/$2" log -1 --format=%an)" "$(git -C "$T/$2" config core.hooksPath || echo no hooks path)"
}
same 'made from the main checkout' 'Person, no hooks path' "$(made repo two)"
same 'made from worktree one' 'Agent one, /dev/null' "$(made one three)"
same 'made from worktree three' 'Agent one, /dev/null' "$(made three four)"
git -C "$T/repo" config --worktree user.name Checkout
same 'made from the main checkout with a name of its own' 'Checkout, no hooks path' "$(made repo five)"
