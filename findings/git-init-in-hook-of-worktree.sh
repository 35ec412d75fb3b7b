#!/usr/bin/env bash
# Guess: a hook finds the same surroundings in every worktree of a repository. A test that makes a repository in a temp
# folder with `git init` and passes in a pre-commit hook of the main worktree does so in a linked one.
# What happens: only in a linked worktree does git export GIT_DIR to the hook. There `git init` in the temp folder makes
# no repository: it says "Reinitialized", and writes core.bare=true into the configuration that all worktrees share.
# From then on git refuses `git status` in the main worktree.
# Who it hurts: anyone who lets agents commit in worktrees of a repository whose hooks run tests that use git.
# What to know: the trouble starts in a worktree and shows in the main checkout. A hook should begin with
# `unset $(git rev-parse --local-env-vars)`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
git commit -q --allow-empty -m one
cat >.git/hooks/pre-commit <<'HOOK'
#!/bin/sh
echo "GIT_DIR=${GIT_DIR:-(not set)}" >"$SAW"
cd "$(mktemp -d "$PLACE/test.XXXXXX")" && git init -b main . | sed 's/ existing//; s/ Git.*//' >>"$SAW"
HOOK
chmod +x .git/hooks/pre-commit
export SAW=$T/saw PLACE=$T
bare() { git config --file "$T/repo/.git/config" core.bare; }

git commit -q --allow-empty -m two
same 'in the main worktree the hook saw' $'GIT_DIR=(not set)\nInitialized empty' "$(cat "$SAW")"
same 'core.bare of the repository' false "$(bare)"
same 'status of the main worktree' 'exit 0' "$(git status >/dev/null 2>&1 && echo 'exit 0' || echo "exit $?")"

git worktree add -q -b topic "$T/linked"
git -C "$T/linked" commit -q --allow-empty -m three
same 'in the linked worktree the hook saw' "GIT_DIR=REPO/.git/worktrees/linked
Reinitialized" "$(sed "s|=.*/repo/|=REPO/|" "$SAW")"
same 'core.bare of the repository' true "$(bare)"
same 'status of the main worktree' 'fatal: this operation must be run in a work tree' "$(git status 2>&1 || true)"
