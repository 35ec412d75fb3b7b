import {Worker} from 'node:worker_threads';
import {send} from '../../lib/process/processes.ts';

// TypeScript runs in a thread, which blocks on each answer of its program: so this process notices at once when the channel closes. An uncaught error of the thread ends both, and so does the thread's own end.
const thread = new Worker(
	new URL(
		import.meta.url.endsWith('.ts') ? './typescript-thread.ts' : './typescript-thread.js',
		import.meta.url,
	),
);
process.on('message', question => thread.postMessage(question));
thread.on('message', answer => process.send?.(answer));

// Process id 0 means its own group, also inside a PID namespace: TypeScript's program ends with it.
const end = () => send(0, 'SIGKILL');
process.on('disconnect', end);
thread.on('exit', end);
