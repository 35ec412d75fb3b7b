#!/usr/bin/env bash
# Guess: jj in a checkout that git uses too moves bookmarks, which are git's branches, and detaches HEAD in this folder, as its
# manual says. A linked worktree of git's is none of its own: its branch stays, as with `git branch -f`, which refuses to move
# it, or moves under its files, as with `git history`.
# What happens: jj moves the branch and detaches HEAD of the worktree at the old commit, without a word in either place. That
# worktree's next commits are on no branch, exit 0, and the branch has none of them. So it is if jj deletes it. It takes no
# more than a new description for a commit that the branch stands on.
# Who it hurts: people who use jj themselves and give agents worktrees of git's: after one `jj describe` or `jj rebase` of theirs
# the agents' branches stand still, what is merged from them lacks all later work, and `git worktree remove` forgets it.
# What to know: before a merge ask `git worktree list` whether the worktree is still on its branch. There `git rebase BRANCH`
# and `git switch -C BRANCH` put it right.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
install_jj jujutsu=0.46.0-2 12398e92c2cd992349b83f02823e10c616d85c20b3fe2107d3c32ca7118c3b11

git init -q -b main "$T/repo"
cd "$T/repo"
git commit -qm start --allow-empty
echo 10 >limit
git add .
git commit -qm fix
jj git init --colocate 2>"$T/log"

# Makes a worktree with one commit of its own.
make() {
	git worktree add -q -b "$1" "$T/$1" main
	commit "$1"
}
commit() {
	echo more >>"$T/$1/$1"
	git -C "$T/$1" add .
	git -C "$T/$1" commit -qm "work of $1"
}
# The branch of a worktree.
branch() { git -C "$T/$1" branch --show-current; }
work() { git log --format=%s "$@"; }

make one
same 'git branch -f' 'exit 128' "$(git branch -f one main 2>"$T/log" || echo "exit $?")"
same 'after jj log the worktree is on' one "$(jj log >"$T/log" && branch one)"
jj describe --quiet main -m 'fix of the limit'
same 'after jj describe of the commit below it' '' "$(branch one)"
same 'its status' '' "$(git -C "$T/one" status --short)"
same 'the branch' $'work of one\nfix of the limit\nstart' "$(work one)"
same 'the worktree' $'work of one\nfix\nstart' "$(git -C "$T/one" log --format=%s)"
commit one
same 'the branch after its next commit' $'work of one\nfix of the limit\nstart' "$(work one)"
git -C "$T/one" rebase -q one 2>"$T/log"
git -C "$T/one" switch -qC one
same 'after rebase and switch' $'work of one\nwork of one\nfix of the limit\nstart' "$(work one)"

make two
jj bookmark delete --quiet two
same 'after jj bookmark delete of another the worktree is on' '' "$(branch two)"
make three
same 'after jj new in the main checkout' three "$(jj new --quiet && branch three)"
