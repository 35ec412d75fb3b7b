import {Worker} from 'node:worker_threads';
import {send} from '../../lib/process/processes.ts';
import type {ToCompiler} from './typescript-thread.ts';

// TypeScript runs in a thread, which blocks on each answer of its program: so this process notices at once when the channel closes. An uncaught error of the thread ends both, and so does the thread's own end.
const abandoned = new Int32Array(new SharedArrayBuffer(4));
const thread = new Worker(
	new URL(
		import.meta.url.endsWith('.ts') ? './typescript-thread.ts' : './typescript-thread.js',
		import.meta.url,
	),
	{workerData: abandoned},
);
process.on('message', (told: ToCompiler) => {
	Atomics.store(abandoned, 0, told.kind === 'abandon' ? 1 : 0);
	if (told.kind !== 'abandon') {
		thread.postMessage(told);
	}
});
thread.on('message', answer => process.send?.(answer));

// Process id 0 means its own group, also inside a PID namespace: TypeScript's program ends with it.
const end = () => send(0, 'SIGKILL');
process.on('disconnect', end);
thread.on('exit', end);
