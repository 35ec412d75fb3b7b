#!/usr/bin/env bash
# Guess: what refs/bisect and refs/worktree hold is a worktree's own; not even the others of the repository see it. So a push
# doesn't send it, and `git push --mirror` comes to the same from each worktree.
# What happens: `git push --mirror` sends those of the worktree in which it runs: the server gets refs/bisect/bad of a bisect
# that is going on, and keeps the commits that hang on refs/worktree. A push from another worktree deletes them there. A clone
# with --mirror fetches them, and then has a bisect's marks without a bisect.
# Who it hurts: anyone who keeps a backup by push --mirror, where agents bisect or tools keep snapshots in refs/worktree: what was
# meant to stay goes to the server, and a backup made from the main checkout takes the snapshots away again.
# What to know: push 'refs/heads/*' and 'refs/tags/*' with --prune; or push from a bare clone.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q --bare "$T/server"
git init -q -b main "$T/repo"
cd "$T/repo"
for word in one two three four; do git commit -qm "$word" --allow-empty; done
git worktree add -q --detach "$T/agent"
git -C "$T/agent" bisect start HEAD HEAD~3 >"$T/log"
snapshot=$(git commit-tree -m snapshot 'HEAD^{tree}')
git -C "$T/agent" update-ref refs/worktree/snapshot "$snapshot"

refs() { git -C "$1" for-each-ref --format='%(refname)' | sed 's/good-.*/good/' | paste -s -d ' '; }
mirror() { git -C "$1" push -q --mirror "$T/server"; }

same 'refs of the main worktree' refs/heads/main "$(refs .)"
mirror .
same 'on the server after a push from it' refs/heads/main "$(refs "$T/server")"
mirror "$T/agent"
same 'after one from the other' 'refs/bisect/bad refs/bisect/good refs/heads/main refs/worktree/snapshot' "$(refs "$T/server")"
same 'the snapshot on the server' snapshot "$(git -C "$T/server" show -s --format=%s refs/worktree/snapshot)"
git clone -q --mirror "$T/server" "$T/clone"
same 'in a clone of it' "$(refs "$T/server")" "$(refs "$T/clone")"
mirror .
same 'after another from the main worktree' refs/heads/main "$(refs "$T/server")"
git -C "$T/agent" push -q --prune "$T/server" 'refs/heads/*' 'refs/tags/*'
same 'after a push of branches and tags from the other' refs/heads/main "$(refs "$T/server")"
