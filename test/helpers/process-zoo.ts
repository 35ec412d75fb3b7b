import {resolve} from 'node:path';

/** A way in which a process escapes the one that started it; `<nap>` stands for its later actions. */
export type Escape = {
	readonly name: string;
	readonly script: string;
	/** True if it can be found without a process namespace. */
	readonly leavesTraces: boolean;
};

/** Escapes that were observed, and ones that evade each way of searching. */
export const escapes: readonly Escape[] = [
	{name: 'in the background', script: '<nap> &', leavesTraces: true},
	{name: 'deaf to the polite signal', script: "(trap '' TERM; <nap>) &", leavesTraces: true},
	{name: 'immune to a hangup', script: 'nohup <nap> &', leavesTraces: true},
	{name: 'in a session of its own', script: 'setsid <nap> &', leavesTraces: true},
	{name: 'forked twice', script: '(setsid <nap> &) &', leavesTraces: true},
	{
		name: 'in a session of its own, with a clean environment',
		script: 'env -i <path> setsid <nap> &',
		leavesTraces: true,
	},
	{
		name: 'forked twice, with a clean environment, deaf',
		script: `(env -i <path> setsid sh -c "trap '' TERM; <nap>" &) &`,
		leavesTraces: true,
	},
	{
		name: 'in a session of its own, in another folder',
		script: '(cd / && setsid <nap>) &',
		leavesTraces: true,
	},
	{
		name: 'in a session of its own, in another folder, with a clean environment',
		script: '(cd / && env -i <path> setsid <nap>) &',
		leavesTraces: false,
	},
	{
		name: 'a daemon',
		script: '(cd / && env -i <path> setsid sh -c "<nap> &" </dev/null >/dev/null 2>&1) &',
		leavesTraces: false,
	},
];

/** Returns the shell script of an escape, which writes the process id to a file; `napper` is the program that does it. */
export const scriptOf = ({script}: Escape, pidFile: string): string =>
	script
		.replaceAll('<nap>', `${napper} ${pidFile} </dev/null >/dev/null 2>&1`)
		.replaceAll('<path>', `PATH="$PATH"`);

const napper = resolve(import.meta.dirname, '../../fixtures/agents/naps.sh');
