#!/usr/bin/env bash
# signed.sh FOLDER: a repository whose commits are signed by an SSH key beside it.
set -eu
git init --quiet --initial-branch=main "$1"
cd "$1"
ssh-keygen -q -t ed25519 -N '' -C ada@example.org -f ../key
echo "ada@example.org $(cat ../key.pub)" >../signers
mkdir src
echo one >src/one.txt
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
git config gpg.format ssh
git config user.signingKey "$(cd .. && pwd)/key"
git config gpg.ssh.allowedSignersFile "$(cd .. && pwd)/signers"
git config commit.gpgSign true
git add .
git commit --quiet --message 'Start'
