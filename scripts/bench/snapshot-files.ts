/** Number of files in the repository. */
export const fileCount = 10_000;

/** Returns the path of a file: ten in a folder, three or four folders deep, as in a repository of many packages. */
export const pathOf = (number: number): string => {
	const folder = Math.floor(number / 10);
	const part = `packages/package-${folder % 25}/part-${Math.floor(folder / 25)}`;
	return `${part}${folder % 2 === 0 ? '' : '/details'}/file-${number}.ts`;
};

/** Returns a text of 300 bytes to 44 KB, 5 KB on average, unique for its number and stamp. */
export const contentOf = (number: number, stamp: string): string => {
	const random = randomFrom(number + 1);
	const length = 300 * Math.exp(5 * random() ** 2);
	const lines = [`// ${number} ${stamp}\n`];
	for (let written = 0; written < length; written += lines.at(-1)?.length ?? 0) {
		const from = Math.floor(random() * 1000);
		const name = words[Math.floor(random() * words.length)] ?? '';
		const other = words[Math.floor(random() * words.length)] ?? '';
		lines.push(`export const ${name}${from} = (${other}: number) => ${other} + ${from};\n`);
	}

	return lines.join('');
};

const words = ['bucket', 'limit', 'refill', 'order', 'price', 'customer', 'reading', 'window'];

/** Returns a deterministic random number generator: a linear congruential one. */
const randomFrom = (seed: number): (() => number) => {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
};
