#!/usr/bin/env bash
# old-submodule.sh FOLDER: a repository with a submodule that has its git dir inside, as git made them before 1.7.8 and whoever clones into its place still does.
set -eu
origin=$(dirname "$1")/origin
git init --quiet "$origin"
echo shared >"$origin/lib.txt"
git -C "$origin" add .
git -C "$origin" commit --quiet --message 'Start'
git init --quiet "$1"
cd "$1"
mkdir src
echo one >src/one.txt
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
git clone --quiet "$origin" vendor/lib
git submodule --quiet add "$origin" vendor/lib
git add .
git commit --quiet --message 'Start'
test -d vendor/lib/.git
rm -rf "$origin"
