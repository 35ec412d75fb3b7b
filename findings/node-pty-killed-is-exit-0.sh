#!/usr/bin/env bash
# Guess: node-pty is for terminals what child_process is: `exitCode` is no 0 for a program that was killed, and a program or a
# folder that isn't there is an error, by a throw or an event.
# What happens: killed or crashed, a program ends with exitCode 0, and only `signal` tells; child_process gives null. A program
# that isn't there or may not be run, and a folder that isn't there, start and end with exitCode 1, as a program that failed, and
# the reason is output of the terminal, among what a program would have printed.
# Who it hurts: anyone who runs agents, or their commands, in a terminal and takes exitCode 0 for success: one that the kernel killed
# for its memory is done and well. And anyone who waits for an error to say "not installed" shows a line of C's in its place.
# What to know: success is exitCode 0 and signal 0. Look for the program and the folder before.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @lydell/node-pty@1.1.0
own_home
run_module <<'JS'
import {spawn} from 'node:child_process';
import pty from '@lydell/node-pty';
import {same} from './acp.mjs';

const inTerminal = (file, args, options) =>
	new Promise(resolve => {
		let output = '';
		const process = pty.spawn(file, args, options);
		const listener = process.onData(data => (output += data));
		process.onExit(({exitCode, signal}) => {
			listener.dispose();
			resolve(`${exitCode}, ${signal}, ${output.trim()}`);
		});
	});
const asChild = (file, args, options) =>
	new Promise(resolve => {
		spawn(file, args, {...options, stdio: 'ignore'})
			.on('error', error => resolve(error.code))
			.on('exit', (code, signal) => resolve(`${code}, ${signal}`));
	});

for (const [what, [file, args, options], child, terminal] of [
	['a program that ends with 3', ['sh', ['-c', 'exit 3']], '3, null', '3, 0, '],
	['one that is killed', ['sh', ['-c', 'kill -KILL $$']], 'null, SIGKILL', '0, 9, '],
	['one that crashes', ['sh', ['-c', 'kill -SEGV $$']], 'null, SIGSEGV', '0, 11, '],
	['one that is not there', ['no-such-program', []], 'ENOENT', '1, 0, execvp(3) failed.: No such file or directory'],
	['one that may not be run', ['/etc/passwd', []], 'EACCES', '1, 0, execvp(3) failed.: Permission denied'],
	['a folder that is not there', ['pwd', [], {cwd: '/no/such/folder'}], 'ENOENT', '1, 0, chdir(2) failed.: No such file or directory'],
]) {
	same(`${what}, as a child`, child, await asChild(file, args, options));
	same(`${what}, in a terminal`, terminal, await inTerminal(file, args, options));
}
JS
