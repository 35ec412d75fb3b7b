import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {parse} from 'yaml';
import {z} from 'zod';

/** Content of a path: a text, null for a deletion, or a special entry. */
const content = z.union([
	z.string(),
	z.null(),
	z.strictObject({text: z.string(), mode: z.enum(['100644', '100755'])}),
	z.strictObject({link: z.string()}),
	z.strictObject({submodule: z.string()}),
	z.strictObject({bytes: z.array(z.number())}),
]);

const files = z.record(z.string(), content);

/** Moves of files; a side's content is written afterwards. */
const moves = z.record(z.string(), z.string());

const side = z.strictObject({moves: moves.optional(), files: files.optional()});

const finding = z.strictObject({
	rule: z.string(),
	kind: z.string().optional(),
	path: z.string(),
	blocking: z.boolean(),
	/** `a src/x.ts:3 return 1`; with `-` before the path if the side removed it. */
	evidence: z.array(z.string()).optional(),
	/** Words in the sentence. */
	says: z.string().optional(),
});

/** Short form: `A1 src/x.ts`, with ` note` after it if it doesn't block. */
const inShort = z
	.string()
	.regex(/^[A-Z]\d \S+(?: note)?$/)
	.transform((words): z.infer<typeof finding> => {
		const [rule = '', path = '', note] = words.split(' ');
		return {rule, path, blocking: note === undefined};
	});

const schema = z.strictObject({
	about: z.string(),
	language: z.string().optional(),
	base: files,
	a: side,
	b: side,
	/** All findings; there must be no others. */
	finds: z.array(z.union([finding, inShort])),
});

export type ConflictCase = z.infer<typeof schema> & {
	/** Path below `fixtures/repos` without its extension; with a number if a file has several cases. */
	readonly name: string;
};

const folder = join(import.meta.dirname, '../../fixtures/repos');

/** Reads the cases of `fixtures/repos`, sorted by name; a file contains one, or a list of them. */
export const readConflictCases = (): readonly ConflictCase[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.filter(path => path.endsWith('.yaml'))
		.toSorted()
		.flatMap(path => {
			const name = relative('.', path).replace(/\.yaml$/, '');
			const read: unknown = parse(readFileSync(join(folder, path), 'utf8'));
			return Array.isArray(read)
				? read.map((each, position) => ({name: `${name}/${position + 1}`, ...schema.parse(each)}))
				: [{name, ...schema.parse(read)}];
		});

/** Returns whether a case runs in each check; those of the other languages take as long again, and run before a change lands. */
export const isCommonCase = ({name}: ConflictCase): boolean =>
	/^(?:file|workspaces)\/|\/(typescript|tsx|python)\b/.test(name);

/** Returns the commits of both sides of a case. */
export type CommitsOf = (one: ConflictCase) => {readonly a: string; readonly b: string};

/** Writes all cases into a repository, each as three branches, and returns the tips; only two git processes do it for all of them. */
export const layConflictCases = (root: string, cases: readonly ConflictCase[]): CommitsOf => {
	execFileSync('git', ['fast-import', '--quiet', '--force'], {
		cwd: root,
		input: Buffer.concat(cases.flatMap(streamOf)),
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	const format = '--format=%(refname) %(objectname)';
	const refs = execFileSync('git', ['for-each-ref', format, 'refs/heads'], {
		cwd: root,
		encoding: 'utf8',
	});
	const tips = new Map(
		refs
			.trimEnd()
			.split('\n')
			.map(line => line.split(' ') as [string, string]),
	);
	const tip = (one: ConflictCase, side: 'a' | 'b'): string => tips.get(branchOf(one, side)) ?? '';
	return one => ({a: tip(one, 'a'), b: tip(one, 'b')});
};

const branchOf = ({name}: ConflictCase, side: 'base' | 'a' | 'b'): string =>
	`refs/heads/${name}/${side}`;

const streamOf = (one: ConflictCase): readonly Buffer[] => [
	...commit(one, 'base', writes(one.base)),
	...commit(one, 'a', [...renames(one.a.moves), ...writes(one.a.files)]),
	...commit(one, 'b', [...renames(one.b.moves), ...writes(one.b.files)]),
];

const commit = (
	one: ConflictCase,
	side: 'base' | 'a' | 'b',
	changes: readonly Buffer[],
): readonly Buffer[] => [
	text(`commit ${branchOf(one, side)}\ncommitter Ada <ada@example.org> 1700000000 +0000\n`),
	...data(Buffer.from(side)),
	text(side === 'base' ? '' : `from ${branchOf(one, 'base')}\n`),
	...changes,
	text('\n'),
];

const renames = (moved: Readonly<Record<string, string>> = {}): readonly Buffer[] =>
	Object.entries(moved).map(([from, to]) =>
		text(`R ${JSON.stringify(from)} ${JSON.stringify(to)}\n`),
	);

/** Returns the writes, with deletions first: a folder may replace a file. */
const writes = (written: z.infer<typeof files> = {}): readonly Buffer[] => [
	...Object.entries(written)
		.filter(([, what]) => what === null)
		.map(([path]) => text(`D ${JSON.stringify(path)}\n`)),
	...Object.entries(written).flatMap(([path, what]) => (what === null ? [] : put(path, what))),
];

const put = (path: string, what: NonNullable<z.infer<typeof content>>): readonly Buffer[] => {
	const inline = (mode: string, bytes: Buffer): readonly Buffer[] => [
		text(`M ${mode} inline ${JSON.stringify(path)}\n`),
		...data(bytes),
	];
	if (typeof what === 'string') {
		return inline('100644', Buffer.from(what));
	}

	if ('link' in what) {
		return inline('120000', Buffer.from(what.link));
	}

	if ('bytes' in what) {
		return inline('100644', Buffer.from(what.bytes));
	}

	return 'submodule' in what
		? [text(`M 160000 ${what.submodule} ${JSON.stringify(path)}\n`)]
		: inline(what.mode, Buffer.from(what.text));
};

const data = (bytes: Buffer): readonly Buffer[] => [
	text(`data ${bytes.length}\n`),
	bytes,
	text('\n'),
];

const text = (words: string): Buffer => Buffer.from(words);
