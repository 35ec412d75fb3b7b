#!/usr/bin/env bash
# Guess: `git bundle create FILE --all` is a backup of all, as the manual calls it: what is in the bundle and listed by `git
# bundle verify` comes back by `git clone --mirror FILE`. Or the commits of detached worktrees are not in it, as they are on no
# branch.
# What happens: they are in it, under names such as worktrees/agent/HEAD. A clone, with --mirror too, and a fetch of refs/* pass
# over these names without a word, as they don't begin with refs/. Their objects come along, but nothing leads to them, and a gc
# removes them. And in a bundle that was made in a linked worktree HEAD is that worktree's, so the copy begins on an agent's
# commit.
# Who it hurts: anyone who backs up a repository so before agents' worktrees are cleaned up: `git bundle verify` says that the work
# is there, the copy that is made of it has none of it, and nobody looks further.
# What to know: `git fetch FILE 'worktrees/*:refs/worktrees-of-backup/*'` beside the clone. Give detached worktrees branches
# before a backup.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -q --allow-empty -m start
git worktree add -q --detach "$T/agent"
git -C "$T/agent" commit -q --allow-empty -m work
work=$(git -C "$T/agent" rev-parse HEAD)

names() { git bundle list-heads "$1" | cut -d ' ' -f 2 | sort | paste -s -d ' '; }
refs() { git -C "$1" for-each-ref --format='%(refname) %(subject)'; }
git bundle create -q "$T/all.bundle" --all
same 'names in the bundle' 'HEAD refs/heads/main worktrees/agent/HEAD' "$(names "$T/all.bundle")"
git clone -q --mirror "$T/all.bundle" "$T/mirror"
same 'refs of a mirror of it' 'refs/heads/main start' "$(refs "$T/mirror")"
same 'the work, by its id' 'commit' "$(git -C "$T/mirror" cat-file -t "$work")"
git -C "$T/mirror" gc -q --prune=now
same 'after a gc' 'nothing' "$(git -C "$T/mirror" cat-file -t "$work" 2>/dev/null || echo nothing)"
git init -q "$T/copy"
git -C "$T/copy" fetch -q "$T/all.bundle" 'refs/*:refs/*'
same 'refs after a fetch of refs/*' 'refs/heads/main start' "$(refs "$T/copy")"
git -C "$T/copy" fetch -q "$T/all.bundle" 'worktrees/*:refs/saved/*'
same 'and one of worktrees/*' $'refs/heads/main start\nrefs/saved/agent/HEAD work' "$(refs "$T/copy")"

git -C "$T/agent" bundle create -q "$T/agent.bundle" --all
same 'names in a bundle made in the worktree' 'HEAD main-worktree/HEAD refs/heads/main' "$(names "$T/agent.bundle")"
git clone -q "$T/agent.bundle" "$T/clone" 2>"$T/log"
same 'a clone of it is on' 'HEAD work' "$(git -C "$T/clone" log -1 --format='%D %s' | sed 's/, .* / /')"
