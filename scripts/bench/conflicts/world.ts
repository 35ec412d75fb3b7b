import {execa} from 'execa';

/** A repository of TypeScript files and commits on one base. */
export type World = {
	readonly gitDir: string;
	/** Commits that change files of their own; the second one calls functions that the first one has changed. */
	readonly sides: readonly [string, string, string, string];
	/** The first one with one more changed file. */
	readonly later: string;
};

/** Makes a repository in which each side changes `changed` files of `files`. */
export const layWorld = async (
	gitDir: string,
	{files, changed}: {readonly files: number; readonly changed: number},
): Promise<World> => {
	await execa('git', ['init', '--quiet', '--bare', gitDir]);
	const all = Array.from({length: files}, (_, number) => number);
	const step = Math.floor(files / changed);
	const every = (offset: number) =>
		all.filter(number => number % step === offset).slice(0, changed);
	const side = (name: string, offset: number) => ({
		name,
		from: 'base',
		files: every(offset).map((number, place) => [pathOf(number), changedFile(number, name, place)]),
	});
	const commits = [
		{
			name: 'base',
			files: [['tsconfig.json', config], ...all.map(number => [pathOf(number), file(number)])],
		},
		side('a', 0),
		side('b', 1),
		side('c', 2),
		side('target', 3),
		{name: 'later', from: 'a', files: [[pathOf(4), changedFile(4, 'later', 1)]]},
	];
	await execa('git', ['fast-import', '--quiet'], {
		env: {GIT_DIR: gitDir},
		input: commits.map(commit).join(''),
	});
	const {stdout} = await execa('git', ['rev-parse', 'a', 'b', 'c', 'target', 'later'], {
		env: {GIT_DIR: gitDir},
	});
	const [a = '', b = '', c = '', target = '', later = ''] = stdout.split('\n');
	return {gitDir, sides: [a, b, c, target], later};
};

const commit = ({
	name,
	from,
	files,
}: {
	name: string;
	from?: string;
	files: readonly (readonly string[])[];
}): string =>
	[
		`commit refs/heads/${name}\ncommitter bench <bench@localhost> 946684800 +0000\n${data(name)}`,
		...(from === undefined ? [] : [`from refs/heads/${from}\n`]),
		...files.map(([path = '', text = '']) => `M 100644 inline ${path}\n${data(text)}`),
		'\n',
	].join('');

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

const config = JSON.stringify({
	compilerOptions: {strict: true, noEmit: true, module: 'preserve', types: []},
});

const pathOf = (number: number): string =>
	`src/part${String(Math.floor(number / 100)).padStart(3, '0')}/file${number}.ts`;

const importOf = (from: number, number: number): string => {
	const [own, other] = [from, number].map(one => pathOf(one).split('/'));
	const path = own?.[1] === other?.[1] ? `./${other?.[2]}` : `../${other?.[1]}/${other?.[2]}`;
	return `import {value${number}} from '${path.slice(0, -3)}';\n`;
};

/** Returns whether a file calls no other, so that a function changed by the first side has no further callers. */
const isFree = (number: number): boolean => number % 200 < 2;

/** Returns the text of a file of about usual length. */
const file = (number: number): string => {
	const before = Math.max(0, number - 1);
	const uses = isFree(number) ? '' : importOf(number, before);
	const last = isFree(number) ? 'total' : `value${before}(total, ${number})`;
	return `${uses}${kindOf(number)}${functionOf(`value${number}`, 'left: number, right: number', last)}`;
};

const kindOf = (number: number): string =>
	`\nexport type Kind${number} = {readonly name: string; readonly size: number};\n\nexport class Holder${number} {\n\treadonly #kinds: Kind${number}[] = [];\n\n\tadd(kind: Kind${number}): void {\n\t\tthis.#kinds.push(kind);\n\t}\n\n\tsizes(): number {\n\t\treturn this.#kinds.map(({size}) => size).reduce((all, size) => all + size, 0);\n\t}\n}\n`;

const functionOf = (name: string, parameters: string, last: string): string =>
	`\nexport const ${name} = (${parameters}): number => {\n\tlet total = left;\n\tfor (let step = 0; step < right; step++) {\n\t\tif (step % 3 === 0) {\n\t\t\ttotal += Math.max(step, left);\n\t\t} else {\n\t\t\ttotal -= Math.min(step, right);\n\t\t}\n\t}\n\n\treturn ${last};\n};\n`;

/** Returns a changed file with a new function; two of the first side's break a new function of the second side. */
const changedFile = (number: number, side: string, place: number): string => {
	const called = {a: number, b: [number, 0, 200][place] ?? number}[side] ?? number;
	const uses = called === number ? '' : importOf(number, called);
	const text = side === 'a' && place < 2 ? brokenFile(number, place) : file(number);
	const call = `value${called}(total, 1)`;
	const added = side === 'a' && place < 2 ? 'total' : call;
	return `${uses}${text}${functionOf(`added${side}${number}`, 'left: number, right: number', added)}`;
};

/** Returns a file whose function has one more argument or, for the second one, another name. */
const brokenFile = (number: number, place: number): string =>
	place === 0
		? `${kindOf(number)}${functionOf(`value${number}`, 'left: number, right: number, scale: number', 'total * scale')}`
		: `${kindOf(number)}${functionOf(`renamed${number}`, 'left: number, right: number', 'total')}`;
