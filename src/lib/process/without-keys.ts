import {closeSync, constants, existsSync, openSync, readFileSync, readlinkSync} from 'node:fs';
import {arch} from 'node:os';
import {attempt} from '../failure.ts';

/** Words before bubblewrap's, options for it, and the descriptor of each path. */
type Descriptors = {
	readonly before: readonly string[];
	readonly options: readonly string[];
	readonly descriptorOf: (name: string) => number | undefined;
};

export const noDescriptors: Descriptors = {
	...{before: [], options: []},
	descriptorOf: () => undefined,
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
		return noDescriptors;
	}

	const bytes = [...filter].map(byte => `\\x${byte.toString(16)}`).join('');
	const numbers = new Map([...files, ...real.keys()].map((name, index) => [name, first + index]));
	return {
		before: [
			...[bash, '--norc', '-p', '-c'],
			`exec ${descriptor}< <(printf '${bytes}')
${opening}delegate_open ${first} "\${@:1:${files.length}}" || exit 1
shift ${files.length}
${real.size === 0 ? '' : unlessMoved(first + files.length, real.size)}exec "$@"`,
			...['without-keys', ...files, ...real.values(), ...[...real.values()].map(entryOf)],
		],
		options: ['--seccomp', `${descriptor}`],
		descriptorOf: name => numbers.get(name),
	};
};

/** Defines a shell function that opens paths on descriptors from a number on. Each has an `exec` of its own: bash drops the redirections after one onto an inherited descriptor. */
const opening = `delegate_open() {
local number=$1 path failed=0
for path in "\${@:2}"; do
eval "exec $number< \\"\\$path\\"" || { failed=1; eval "exec $number<&-"; }
number=$((number + 1))
done
return $failed
}
`;

/**
Returns shell commands that open the paths among the first arguments and check where they really lie, since bash opens them through links. The next arguments are their entries now: while these are the same, no program has to be started that reads links.

Otherwise it tries several times, as a failure ends the agent. It avoids the command's `PATH`, whose programs run only in the box.
*/
const unlessMoved = (from: number, count: number): string => `delegate_paths=("\${@:1:${count}}")
delegate_entries=("\${@:${count + 1}:${count}}")
shift ${2 * count}
printf -v delegate_wanted '%s\\n' "\${delegate_paths[@]}"
delegate_same() {
local index info
for index in "\${!delegate_paths[@]}"; do
[ "\${delegate_entries[index]}" ] && mapfile -t info < /proc/$$/fdinfo/$((${from} + index)) || return
[[ "\${info[*]} " = *" \${delegate_entries[index]} "* ]] || return
done
}
for delegate_left in 4 3 2 1 0; do
delegate_open ${from} "\${delegate_paths[@]}" && delegate_same && break
delegate_found=$(command -p readlink /proc/$$/fd/{${from}..${from + count - 1}}; echo .)
[ "$delegate_found" = "$delegate_wanted." ] && break
[ "$delegate_left" = 0 ] && {
for delegate_index in "\${!delegate_paths[@]}"; do
delegate_path=\${delegate_paths[delegate_index]}
delegate_found=$(command -p readlink /proc/$$/fd/$((${from} + delegate_index)))
[ "$delegate_found" = "$delegate_path" ] || break
done
echo "A path that is forbidden was moved meanwhile: $delegate_path leads to \${delegate_found:-nothing}" >&2
exit 1
}
command -p sleep 0.1
done
`;

/** Returns the mount and inode of a path as `/proc/PID/fdinfo` names them (proc(5), Linux 5.14), or nothing if it leads elsewhere. */
const entryOf = (path: string): string => {
	const found = attempt(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
	if (found === undefined) {
		return '';
	}

	try {
		const info = readFileSync(`/proc/self/fdinfo/${found}`, 'utf8');
		const [entry = ''] = /^mnt_id:\t\d+\nino:\t\d+$/m.exec(info) ?? [];
		return readlinkSync(`/proc/self/fd/${found}`) === path ? entry.replace('\n', ' ') : '';
	} finally {
		closeSync(found);
	}
};

const bash = '/bin/bash';

const descriptor = 9;

/** First descriptor of a path. */
const first = descriptor + 1;

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
