#!/usr/bin/env bash
# missing-filter.sh FOLDER: a repository with files under a required filter whose program is not installed, as after a clone without Git LFS.
set -eu
git init --quiet "$1"
cd "$1"
mkdir -p src art
printf '*.psd filter=lfs\nart/*.key filter=vault\n' >.gitattributes
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
echo one >src/one.txt
echo pointer >art/logo.psd
echo pointer >art/sign.psd
echo sealed >art/door.key
git add .
git commit --quiet --message 'Start'
git config filter.lfs.process 'no-such-lfs filter-process'
git config filter.lfs.clean 'no-such-lfs clean -- %f'
git config filter.lfs.smudge 'no-such-lfs smudge -- %f'
git config filter.lfs.required true
# Git compares their content again, as it does where a checkout is fresh or was copied.
touch -d '2020-01-01' art/logo.psd art/sign.psd
