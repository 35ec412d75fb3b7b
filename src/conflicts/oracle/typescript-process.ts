import {Worker} from 'node:worker_threads';
import {send} from '../../lib/process/processes.ts';

// TypeScript works in a thread, which waits for each word of its program: so this process sees at once that nobody listens any more. An error that the thread doesn't catch ends both, and so does the thread's own end.
const thread = new Worker(
	new URL(
		import.meta.url.endsWith('.ts') ? './typescript-thread.ts' : './typescript-thread.js',
		import.meta.url,
	),
);
process.on('message', question => thread.postMessage(question));
thread.on('message', answer => process.send?.(answer));

// Its group is its own, whatever it is called in here: TypeScript's program goes with it.
const end = () => send(0, 'SIGKILL');
process.on('disconnect', end);
thread.on('exit', end);
