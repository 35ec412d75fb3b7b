#!/usr/bin/env bash
# signed.sh FOLDER [openpgp]: a repository whose commits are signed by an SSH key beside it, or by GnuPG with a key in the home folder.
set -eu
git init --quiet --initial-branch=main "$1"
cd "$1"
mkdir src
echo one >src/one.txt
printf 'docs: false\nlimits: {stagger: 0s}\n' >.delegate-tui.yaml
if [ "${2:-ssh}" = openpgp ]; then
	gpg --batch --quiet --passphrase '' --quick-generate-key 'Ada <ada@example.org>' ed25519 sign never
	git config user.signingKey ada@example.org
else
	ssh-keygen -q -t ed25519 -N '' -C ada@example.org -f ../key
	echo "ada@example.org $(cat ../key.pub)" >../signers
	git config gpg.format ssh
	git config user.signingKey "$(cd .. && pwd)/key"
	git config gpg.ssh.allowedSignersFile "$(cd .. && pwd)/signers"
fi
git config commit.gpgSign true
git add .
git commit --quiet --message 'Start'
