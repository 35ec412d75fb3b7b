/** Tries to take the lock given each time a line comes in, or does what it says, and tells how that went. */
import process from 'node:process';
import {createInterface} from 'node:readline';
import {type Lock, takeLock} from '../../../src/journal/lock.ts';

const [path = ''] = process.argv.slice(2);
let lock: Lock | undefined;

for await (const line of createInterface({input: process.stdin})) {
	if (line === 'release') {
		lock?.release();
		lock = undefined;
		process.stdout.write('released\n');
	} else if (line === 'look') {
		process.stdout.write(lock?.isHeld() ? 'held\n' : 'lost\n');
	} else {
		lock ??= takeLock(path);
		process.stdout.write(lock === undefined ? 'refused\n' : 'held\n');
	}
}
