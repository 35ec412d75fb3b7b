import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {temporaryFolder} from './repository.ts';

/** Returns the path of a shell script with the name of macOS's sandbox-exec. */
export const sandboxExec = (script: string): string => {
	const path = join(temporaryFolder(), 'sandbox-exec');
	writeFileSync(path, `#!/bin/sh\n${script}\n`);
	chmodSync(path, 0o755);
	return path;
};

/** Script that replaces it on Linux, as far as bubblewrap can apply a profile. */
export const byBubblewrap = `exec '${process.execPath}' --no-warnings --experimental-strip-types '${join(import.meta.dirname, 'seatbelt-by-bwrap.ts')}' "$@"`;
