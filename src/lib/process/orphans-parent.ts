import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {readProcess} from './process-table.ts';
import {requireDescriptors} from './require-descriptors.ts';

let found: Promise<number> | undefined;

/**
Returns the process that adopts those whose parent has ended: 1, or a manager of the person's session.

Nothing names it, so one is orphaned and asked, once; where that can't be done now, 1 stands in for it.
*/
export const orphansParent = async (): Promise<number> => {
	try {
		found ??= ask();
		return await found;
	} catch {
		found = undefined;
		return 1;
	}
};

/** The orphan reads our pipe, so it is gone when that closes. */
const ask = async (): Promise<number> => {
	const script = '{ read -r line; } <&3 & echo $!';
	requireDescriptors(({cause}) => {
		throw new Error(cause);
	});
	const child = spawn('/bin/sh', ['-c', `exec 3<&0; ${script}`], {
		detached: true,
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const exited = once(child, 'exit');
	const lines = createInterface({input: child.stdout});
	const [line] = await once(lines, 'line');
	await exited;
	const parent = readProcess(Number(line))?.parent;
	child.stdin.end();
	lines.close();
	return parent ?? 1;
};
