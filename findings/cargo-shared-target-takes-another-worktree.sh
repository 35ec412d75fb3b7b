#!/usr/bin/env bash
# Guess: worktrees that share one CARGO_TARGET_DIR, as the advice goes to save room and time, may wait for each other.
# Cargo tells a package by its path, so what it built of one worktree is nothing to another.
# What happens: the hash of a workspace's own packages holds their path within the workspace alone, so all worktrees have
# the same artifacts, and whether they are fresh is decided by times: no source of this worktree is newer than what was
# built last, so nothing is compiled. Code with an error passes `cargo check`, exit 0, because another worktree's was
# right; and `cargo test` runs that one's tests. (Cargo 1.95 does the same.)
# Who it hurts: anyone who lets agents work in worktrees of a Rust project, with `target-dir` in ~/.cargo/config.toml or
# CARGO_TARGET_DIR set, and believes what their checks say.
# What to know: give each worktree a target folder of its own.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home

# They use Debian 12's libcurl, libssh2, libxml2 and libz3.
rust=1.85.0+dfsg3-1~deb12u3
install_debian r/rustc-web "rustc-web_$rust" ef797a56697a0b6a82c1d704119ccaa85ab3486ccf805472de46c31971346702
install_debian r/rustc-web "cargo-web_$rust" 59e985e49ba0934ba8aabacd2c38cc394fefa621e9f96ed2c494cf2ed33449f4
install_debian r/rustc-web "libstd-rust-web-1.85_$rust" c8b03bff73b2990b2a3e56b0cfb100eb4c70a9331f4232dc9783c9e50b1038be
install_debian r/rustc-web "libstd-rust-web-dev_$rust" 5360a1aa03979ccc4cc91dd3d9bad1d5ff30f36d615ed01e2c5209c5e8ece21b
install_debian l/llvm-toolchain-19 libllvm19_19.1.7-3~deb12u1 6edf3a8b28495cdba883d9760e0dca1a81983fc497a5f989dc64d0d96d23b4aa
install_debian h/http-parser libhttp-parser2.9_2.9.4-5 98045b047b8f3ccfdd7930983797df3e316112e1cd4d161fc793260e31183b59
install_debian p/pcre3 libpcre3_8.39-15 993ea623ce5b42d67f653f2faaa7ef15e7c9d72bfcb93e22a1eaff7aa3532303
export PATH=$T/debian/usr/bin:$PATH
export LD_LIBRARY_PATH=$T/debian/usr/lib/x86_64-linux-gnu:$T/debian/usr/lib/llvm-19/lib:$T/debian/lib/x86_64-linux-gnu
cargo --version
rustc --version

cd "$T"
git init -q -b main main
mkdir main/src
printf '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n' >main/Cargo.toml
printf 'target\n' >main/.gitignore
printf 'pub fn count() -> i32 {\n    1\n}\n' >main/src/lib.rs
git -C main add .
git -C main commit -qm start
for worktree in good bad; do git -C main worktree add -q "../$worktree"; done
printf 'pub fn count() -> i32 {\n    "two"\n}\n' >bad/src/lib.rs

check() { (cd "$1" && cargo check --offline 2>"$T/out") && echo passes || grep -o 'E0308' "$T/out" | head -1; }

sleep 1.1
export CARGO_TARGET_DIR=$T/shared
same 'the worktree whose code is right' passes "$(check good)"
same 'the other, whose code was wrong before that' passes "$(check bad)"
same 'what is compiled for it' '' "$(grep -o 'Checking demo' "$T/out" || true)"
printf '\n' >>bad/src/lib.rs
same 'after one more change there' E0308 "$(check bad)"
same 'and the good one, from then on' passes "$(check good)"
unset CARGO_TARGET_DIR
same 'with a target folder of its own' E0308 "$(check bad)"
