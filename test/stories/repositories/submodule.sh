#!/usr/bin/env bash
# submodule.sh FOLDER: a repository with a submodule that has one inside, whose origins are gone, and one that was never fetched.
set -eu
git() { command git -c protocol.file.allow=always "$@"; }
aside=$(dirname "$1")/origins
make() {
	git init --quiet "$aside/$1"
	echo "$2" >"$aside/$1/$1.txt"
	git -C "$aside/$1" add .
	git -C "$aside/$1" commit --quiet --message 'Start'
}
make inner deep
make lib shared
make absent nowhere
git -C "$aside/lib" submodule --quiet add "$aside/inner" inner
git -C "$aside/lib" commit --quiet --message 'Take inner in'
git init --quiet "$1"
cd "$1"
mkdir src
echo one >src/one.txt
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
git submodule --quiet add "$aside/lib" vendor/lib
git submodule --quiet update --init --recursive
git submodule --quiet add "$aside/absent" vendor/absent
git add .
git commit --quiet --message 'Start'
git submodule --quiet deinit vendor/absent
rm -rf .git/modules/vendor/absent "$aside"
