#!/usr/bin/env bash
# install-optional.sh PACKAGE PROGRAM…: brings a package of Debian's that some tests need, unless one of its programs is there or it can't be had here quickly.
set -euo pipefail
package=$1
shift
for name in "$@"; do
	if type -P "$name" >/dev/null; then
		exit
	fi
done
if [ "$(id -u)" != 0 ] || ! type -P apt-get >/dev/null; then
	echo "There is no $package, and none can be installed from here."
	exit
fi
export DEBIAN_FRONTEND=noninteractive
packages=(-y -qq --no-install-recommends "$package")
timeout 60 apt-get update -qq
# Only what needs the network can take long, and nothing is half installed when that is given up.
timeout 120 apt-get install --download-only "${packages[@]}" >/dev/null
apt-get install --no-download "${packages[@]}" >/dev/null
