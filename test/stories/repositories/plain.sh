#!/usr/bin/env bash
# plain.sh FOLDER: a plain repository, for what is unusual beside it.
set -eu
git init --quiet --initial-branch=main "$1"
cd "$1"
mkdir src
echo one >src/one.txt
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
git add .
git commit --quiet --message 'Start'
