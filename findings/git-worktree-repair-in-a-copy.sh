#!/usr/bin/env bash
# Guess: `git worktree repair` mends what is broken. In a copy of a repository it leaves a worktree alone that belongs to the
# original, is where it should be, and works; at most it says that the copy's own list is wrong.
# What happens: it makes the worktree one of the copy, exit 0. The worktree's next commits are in the copy alone, the original
# lists it as usual and has its branch where it was, and `git worktree prune` in the original removes nothing. Once the copy
# is deleted, the commits are gone, and git no longer works in the worktree.
# Who it hurts: anyone who copies a checkout, for a backup, an image or an experiment, and repairs there as the manual says for a
# repository that was moved: agents that go on in the original's worktrees then commit into the copy.
# What to know: remove .git/worktrees from a copy. To take a worktree back, fetch from the copy and run repair in the original.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -qm start --allow-empty
git worktree add -q -b agent "$T/agent"
cp -a "$T/repo" "$T/copy"

newest() { git -C "$1" log -1 --format=%s agent; }
owner() { basename "$(dirname "$(git -C "$T/agent" rev-parse --path-format=absolute --git-common-dir)")"; }
same 'the worktree belongs to' repo "$(owner)"
same 'git worktree repair in the original' '' "$(git worktree repair 2>&1)"
same 'in the copy' "repair: .git file incorrect: $T/agent" "$(git -C "$T/copy" worktree repair 2>&1)"
same 'the worktree belongs to' copy "$(owner)"
git -C "$T/agent" commit -qm work --allow-empty
same 'newest commit of its branch in the original' start "$(newest "$T/repo")"
same 'in the copy' work "$(newest "$T/copy")"
same 'the original lists for the worktree' start "$(git worktree list --porcelain | grep -A 1 "^worktree $T/agent" | sed -n 's/^HEAD //p' | xargs git show -s --format=%s)"
same 'prune in the original' '' "$(git worktree prune --verbose --expire=now)"
rm -rf "$T/copy"
same 'git in the worktree without the copy' 128 "$(git -C "$T/agent" status 2>"$T/log" || echo $?)"
same 'git worktree repair in the original' "repair: .git file broken: $T/agent" "$(git worktree repair 2>&1)"
same 'the worktree belongs to' repo "$(owner)"
same 'its newest commit' start "$(newest "$T/agent")"
