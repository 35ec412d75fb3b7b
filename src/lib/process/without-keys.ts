import {existsSync} from 'node:fs';
import {arch} from 'node:os';
import {inShell} from '../text/shell-words.ts';

/** Words before bubblewrap's, options for it, and the descriptor of each path. */
type Descriptors = {
	readonly before: readonly string[];
	readonly options: readonly string[];
	readonly descriptorOf: (name: string) => number | undefined;
};

/**
Returns a command prefix with a seccomp filter on a descriptor, for `--seccomp`, and with paths on others. The filter refuses access to the kernel's keyrings, which namespaces share with the person's (Kerberos keeps tickets there).

Only a shell can open a descriptor before our words run; without bash, or with an unknown processor, there is no filter.

@param real Real paths, by the names under which `descriptorOf` is asked for them; the command doesn't start if one leads elsewhere by then.
*/
export const withoutKeys = (
	files: readonly string[],
	{
		real = new Map(),
		processor = arch(),
	}: {readonly real?: ReadonlyMap<string, string>; readonly processor?: string} = {},
): Descriptors => {
	const filter = keyFilter(processor);
	if (filter === undefined || !existsSync(bash)) {
		return {before: [], options: [], descriptorOf: () => undefined};
	}

	const bytes = [...filter].map(byte => `\\x${byte.toString(16)}`).join('');
	const names = [...files, ...real.keys()];
	const numbers = new Map(names.map((name, index) => [name, descriptor + 1 + index]));
	const opening = (some: ReadonlyMap<string, string>): string =>
		[...some].map(([name, path]) => ` ${numbers.get(name)}< ${inShell(path)}`).join('');
	const fixed = new Map(files.map(file => [file, file] as const));
	return {
		before: [
			...[bash, '--norc', '-p', '-c'],
			`exec ${descriptor}< <(printf '${bytes}')${opening(fixed)}; ${real.size === 0 ? '' : unlessMoved(real, numbers, opening(real))}exec "$@"`,
			'without-keys',
		],
		options: ['--seccomp', `${descriptor}`],
		descriptorOf: name => numbers.get(name),
	};
};

/** Returns shell commands that open paths and check where they really lie, since bash opens them through links; it tries several times, as a failure ends the agent. It avoids the command's `PATH`, whose programs run only in the box. */
const unlessMoved = (
	real: ReadonlyMap<string, string>,
	numbers: ReadonlyMap<string, number>,
	opening: string,
): string => {
	const links = [...real.keys()].map(name => `/proc/$$/fd/${numbers.get(name)}`).join(' ');
	const paths = inShell([...real.values()].join('\n'));
	return `for delegate_left in 4 3 2 1 0; do
exec${opening}
delegate_found=$(command -p readlink ${links})
[ "$delegate_found" = ${paths} ] && break
[ "$delegate_left" = 0 ] && { echo "A path that is forbidden was moved meanwhile: $delegate_found" >&2; exit 1; }
command -p sleep 0.1
done
`;
};

const bash = '/bin/bash';

const descriptor = 9;

/** Numbers of the system calls `add_key`, `request_key` and `keyctl` in one ABI. */
type Table = {readonly audit: number; readonly numbers: readonly number[]};

/** A processor also runs programs of an older ABI; those of x32 set a bit. */
const calls: Readonly<Record<string, readonly Table[]>> = {
	x64: [
		{audit: 0xc000003e, numbers: [248, 249, 250].flatMap(call => [call, call | 0x40000000])},
		{audit: 0x40000003, numbers: [286, 287, 288]},
	],
	arm64: [
		{audit: 0xc00000b7, numbers: [217, 218, 219]},
		{audit: 0x40000028, numbers: [309, 310, 311]},
	],
};

/** Returns a program of classic BPF that fails these calls with EPERM; see seccomp(2). */
export const keyFilter = (processor: string): Buffer | undefined => {
	const parts = calls[processor]?.flatMap(({audit, numbers}) => [
		load(architecture),
		// Jump to the next table: past the load of the number, a jump for each, and both ends.
		jumpUnless(audit, numbers.length + 3),
		load(callNumber),
		...numbers.map((call, index) => jumpIf(call, numbers.length - index)),
		finish(allowed),
		finish(refused),
	]);
	return parts && Buffer.concat([...parts, finish(allowed)]);
};

/** Offsets of these fields in a filter's input. */
const [callNumber, architecture] = [0, 4];

const [allowed, refused] = [0x7fff0000, 0x00050001];

const instruction = (code: number, jumps: readonly [number, number], value: number): Buffer => {
	const bytes = Buffer.alloc(8);
	bytes.writeUInt16LE(code);
	bytes.set(jumps, 2);
	bytes.writeUInt32LE(value, 4);
	return bytes;
};

const load = (offset: number): Buffer => instruction(0x20, [0, 0], offset);
const jumpIf = (value: number, past: number): Buffer => instruction(0x15, [past, 0], value);
const jumpUnless = (value: number, past: number): Buffer => instruction(0x15, [0, past], value);
const finish = (answer: number): Buffer => instruction(0x06, [0, 0], answer);
