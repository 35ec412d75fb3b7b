import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {temporaryFolder} from './repository.ts';

/** Returns the path of a program that is called as macOS's sandbox-exec is, and is a script of a shell. */
export const sandboxExec = (script: string): string => {
	const path = join(temporaryFolder(), 'sandbox-exec');
	writeFileSync(path, `#!/bin/sh\n${script}\n`);
	chmodSync(path, 0o755);
	return path;
};

/** What stands in for it on Linux, as far as bubblewrap can do what a profile says. */
export const byBubblewrap = `exec '${process.execPath}' --no-warnings --experimental-strip-types '${join(import.meta.dirname, 'seatbelt-by-bwrap.ts')}' "$@"`;
