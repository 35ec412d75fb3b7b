import {execFileSync} from 'node:child_process';
import {closeSync, openSync, readdirSync} from 'node:fs';

/** Runs a TypeScript program with a limit of eighty file descriptors, and returns the JSON that it prints. */
export const withFewDescriptors = (program: string, words: readonly string[]): unknown => {
	const command = ['ulimit -n 80; exec "$@"', 'sh', process.execPath, program, ...words];
	return JSON.parse(execFileSync('sh', ['-c', ...command], {encoding: 'utf8'}));
};

/** Returns the number of open file descriptors of this process. */
export const openDescriptors = (): number => readdirSync('/dev/fd').length;

/** Opens file descriptors until only `left` are free; returns a function that closes them. */
export const takeAllBut = (left: number): (() => void) => {
	const taken = takeAll();
	for (const descriptor of taken.splice(0, left)) {
		closeSync(descriptor);
	}

	return () => {
		for (const descriptor of taken) {
			closeSync(descriptor);
		}
	};
};

const takeAll = (): number[] => {
	const taken: number[] = [];
	try {
		for (;;) {
			taken.push(openSync('/dev/null', 'r'));
		}
	} catch {
		return taken;
	}
};
