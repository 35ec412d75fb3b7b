#!/usr/bin/env bash
# emoji-behind-link.sh FOLDER: a symbolic link to a repository whose folder has spaces and an emoji in its name, and so has a file of it.
set -eu
real="$(dirname "$1")/my shop 🛒"
git init --quiet --initial-branch=main "$real"
ln -s "my shop 🛒" "$1"
cd "$real"
mkdir 'src files'
echo one >'src files/one 🛒.txt'
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
git add .
git commit --quiet --message 'Start'
