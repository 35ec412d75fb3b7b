#!/usr/bin/env bash
# linked-worktree.sh FOLDER: a worktree that was added from another worktree, on a branch of its own; the first checkout stands beside it, in main.
set -eu
git init --quiet --initial-branch=main "$(dirname "$1")/main"
cd "$(dirname "$1")/main"
mkdir src
echo one >src/one.txt
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
git add .
git commit --quiet --message 'Start'
git worktree add --quiet -b first ../first
git -C ../first worktree add --quiet -b second "$1"
