# Sourced by every finding: a folder of its own with a home in it, removed at the end, and a few words to report with.

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
mkdir "$T/home" "$T/tmp"

# Installs packages, each with its exact version. npm keeps the home of anyone who calls, and with it a registry set there.
install() {
	printf '{"private": true, "type": "module"}\n' >"$T/package.json"
	(cd "$T" && npm install --no-audit --no-fund --no-save --loglevel=error "$@" >"$T/npm.log" 2>&1) || {
		cat "$T/npm.log" >&2
		exit 1
	}
	printf 'installed: %s\n' "$*"
	PATH=$T/node_modules/.bin:$PATH
}

# Unpacks packages of Debian's, as `install_debian POOL PACKAGE_VERSION SHA256`, which is to be put on the paths. The archive
# keeps one for as long as a release has it; once it is gone, the finding needs another version, and has to be looked at again.
install_debian() {
	curl -fsSL -o "$T/package.deb" "https://deb.debian.org/debian/pool/main/$1/$2_amd64.deb"
	printf '%s  %s\n' "$3" "$T/package.deb" | sha256sum --check --quiet
	(cd "$T" && ar x package.deb data.tar.xz && mkdir -p debian && tar -xJf data.tar.xz -C debian)
	printf 'installed: %s from Debian\n' "$2"
}

# Installs the git of Debian 12.
install_git_2_39() {
	install_git 2.39.5-0+deb12u3 637a85ddd6247fab13bdd0592f2f39aff04ce4dbf0655d3ab553ac359a38ce6f
	git --version
}

# Installs a git that needs a newer C library than Debian 12 has, and brings one. All its names are links to one program.
install_git_2_55() {
	install_git 2.55.0-1 9a1ece2d830d6bbd235f237adf1ea5a5b3bb714aff79f1048a55039fea7d3e64
	install_debian g/glibc libc6_2.41-12+deb13u5 b59b0625cd1a791375d40dab23a4d5d3d0641e3d0a773501becdc3725b7f99cf
	use_unpacked_libraries "$GIT_EXEC_PATH/git"
	ln -sf "$GIT_EXEC_PATH/git" "$T/debian/usr/bin/git"
	git --version
}

install_git() {
	install_debian g/git "git_$1" "$2"
	local usr=$T/debian/usr
	export PATH=$usr/bin:$PATH GIT_EXEC_PATH=$usr/lib/git-core GIT_TEMPLATE_DIR=$usr/share/git-core/templates
}

# Installs jj with all that it needs, as `install_jj jujutsu=VERSION SHA256`. Its author is that of git.
install_jj() {
	install_debian j/jujutsu "${1/=/_}" "$2"
	install_newest_c_library
	install_debian m/mimalloc libmimalloc3_3.6.0+ds-1 8db3407271e91720fea5439e025ea9c8a6cef885437af82a8f3e2ce339fc465b
	install_debian g/gcc-16 libgcc-s1_16.2.0-4 d251ea642c3795e8723ac2b9eeebe511467ca04590ba70f3d555a7616787d7e3
	use_unpacked_libraries "$T/debian/usr/bin/jj"
	export PATH=$T/debian/usr/bin:$PATH
	jj --version
	jj config set --user user.name "$GIT_AUTHOR_NAME"
	jj config set --user user.email "$GIT_AUTHOR_EMAIL"
}

# Installs tmux with all that it needs, as `install_tmux tmux=VERSION SHA256`. It has no server but its own.
install_tmux() {
	install_debian t/tmux "${1/=/_}" "$2"
	install_newest_c_library
	install_debian n/ncurses libtinfo6_6.6+20260608-2 14682d1f6e35df22df0fe1eb2c09418aff0e29e2ea5a7bc0aa1bcd37192ba5a7
	install_debian libe/libevent libevent-core-2.1-7t64_2.1.13-stable-1 544ca760ced0fba6c4c24f8078726031a04e8b7d9890f576ea9cd724cdbb8ee1
	install_debian j/jemalloc libjemalloc2_5.3.1-2 115b797f5a25d70cbe81373c9f1cce78536ed2a8a6d9dd5a061682a2340a25df
	install_debian s/systemd libsystemd0_262.1-1 7fc74653ff64a71e97e0d6d7c0cbb195a62ec0d3a13a7263dd37369494dfcc42
	use_unpacked_libraries "$T/debian/usr/bin/tmux"
	unset TMUX TMUX_PANE
	export PATH=$T/debian/usr/bin:$PATH TMUX_TMPDIR=$T/tmp SHELL=/bin/sh
	tmux() { command tmux -f /dev/null "$@"; }
	trap 'tmux kill-server 2>"$T/tmux.log" || true; rm -rf "$T"' EXIT
}

# Installs screen with all that it needs, as `install_screen screen=VERSION SHA256`. It has no session but its own.
install_screen() {
	install_debian s/screen "${1/=/_}" "$2"
	install_newest_c_library
	install_debian n/ncurses libtinfo6_6.6+20260608-2 14682d1f6e35df22df0fe1eb2c09418aff0e29e2ea5a7bc0aa1bcd37192ba5a7
	install_debian p/pam libpam0g_1.7.0-8 ace6c4fc0a62bf09d837bfeb5f43a1069797fcb89938b6dc13ba1bdfd2bfbfa8
	install_debian a/audit libaudit1_4.2.1-1 25d63a24df9d74aad48ed59bf5ac723bb66e35390c0013b1d6cd2aea5e80cebb
	install_debian libc/libcap-ng libcap-ng0_0.9.6-1+b1 e9aa6dd94b6773fea96e405a0e2c7b7f29da33838901ec686935706d39a42e85
	install_debian libx/libxcrypt libcrypt1_4.5.2+20251210-1 3ed2cd1666bb12315542f03c892e98d83efb382b7de1747d60d9960899857ed5
	use_unpacked_libraries "$T/debian/usr/bin/screen"
	mkdir -m 700 "$T/sockets"
	unset STY WINDOW SCREENRC
	export PATH=$T/debian/usr/bin:$PATH SCREENDIR=$T/sockets SYSSCREENRC=/dev/null TERM=xterm SHELL=/bin/sh
}

# Installs what the sandbox of @anthropic-ai/sandbox-runtime needs, and a settings file for it in which the folder may be written.
install_sandbox_tools() {
	install_debian b/bubblewrap bubblewrap_0.13.1-1 e02257507a93bbf4efc682873378967de1692e8794c09a04be801f4001d9cb58
	install_debian s/socat socat_1.8.1.3-2 68b2346dc3402bf1cd6792e78adfc52969977c53bd5d96568874857b20b5cab8
	install_debian r/rust-ripgrep ripgrep_15.2.0-1 d9d86586969e925b8627936ec4387d10cc65baf7d42195258743a49e711b6157
	install_newest_c_library
	install_debian libc/libcap2 libcap2_2.78-1+b1 ded957f0dd933e80a3cbbc3a920cb66a3d683f7e2ba2ddd77008f9f02744dcd9
	install_debian libs/libselinux libselinux1_3.11-2.1+b1 12c9fc5222e3f4e727793da05f37a5981aaa9cb8e455a8654cb78a15db66ae22
	install_debian p/pcre2 libpcre2-8-0_10.49-1 854da48a72f55b3f6f20389b58a3e94bddd06dc02b2a9fadd006ccd0048d14ab
	install_debian t/tcp-wrappers libwrap0_7.6.q-37 94541fed2d2ecc4654d5cf446c25153ec3908c8f3138c6155717dad69f6528f2
	install_debian r/readline libreadline8t64_8.3-4 1b65e285f312f9073dc4f0dafe44143d986bd8914e4a03af3ca59d68f238d02c
	install_debian n/ncurses libtinfo6_6.6+20260608-2 14682d1f6e35df22df0fe1eb2c09418aff0e29e2ea5a7bc0aa1bcd37192ba5a7
	install_debian o/openssl libssl3t64_3.6.5-1 0a0ec84fe860c5c93c74d53cbb071aea0793327a3761b483080e9d7b73c21b37
	install_debian libz/libzstd libzstd1_1.5.7+dfsg-4 93e7930e4c25b918f1dd980cc1c6d4487654a248f5fa71eacb976ed7bbe954bd
	install_debian z/zlib zlib1g_1.3.dfsg+really1.3.2-4 8506ce550a81ac14b047608e0df121037d9cbb10c3cc28446f68cf8c1d9d31ce
	install_debian g/gcc-16 libgcc-s1_16.2.0-4 d251ea642c3795e8723ac2b9eeebe511467ca04590ba70f3d555a7616787d7e3
	use_unpacked_libraries "$T"/debian/usr/bin/{bwrap,socat1,rg}
	export PATH=$T/debian/usr/bin:$PATH
	printf '{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": {"denyRead": [], "allowWrite": ["."], "denyWrite": []}}' \
		>"$T/sandbox.json"
}

install_newest_c_library() {
	install_debian g/glibc libc6_2.43-7 5c71715c51103beb4fbba9fe9f8dff604af6610dfa71c70bff342f54a7860803
}

# Lets programs run with the libraries that were unpacked beside them.
use_unpacked_libraries() {
	local libraries=$T/debian/usr/lib/x86_64-linux-gnu program
	for program; do
		mv "$program" "$program.elf"
		printf '#!/bin/sh\nexec %s --argv0 "$0" --library-path %s %s "$@"\n' \
			"$libraries/ld-linux-x86-64.so.2" "$libraries" "$program.elf" >"$program"
		chmod +x "$program"
	done
}

# From here on nothing of the person's own configuration, and no cache of theirs, is read or written.
own_home() {
	unset "${!XDG_@}" "${!BUN_@}" "${!DENO_@}" "${!PNPM_@}"
	export HOME=$T/home XDG_CONFIG_HOME=$T/home/.config TMPDIR=$T/tmp GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TZ=UTC
	export GIT_AUTHOR_NAME=Someone GIT_AUTHOR_EMAIL=someone@example.com
	export GIT_COMMITTER_NAME=Someone GIT_COMMITTER_EMAIL=someone@example.com
}

# Runs a module from standard input next to the packages and the lab's own modules.
run_module() {
	cp "$LAB"/*.mjs "$T/"
	cat >"$T/finding.mjs"
	(cd "$T" && node finding.mjs)
}

# same WHAT EXPECTED ACTUAL: says what was seen, and ends the run if it is not what was seen before.
same() {
	if [ "$2" = "$3" ]; then
		printf 'seen: %s: %s\n' "$1" "$3"
	else
		printf 'CHANGED: %s\n--- before\n%s\n--- now\n%s\n' "$1" "$2" "$3" >&2
		exit 1
	fi
}
