/** A till in TypeScript, so that a compiler has a say in what fits together. */
export const files: Readonly<Record<string, string>> = {
	'README.md': `# Till

The till of a tea house. All amounts are cents. \`node --test\` checks it.
`,
	'package.json': `{
	"name": "till",
	"private": true,
	"type": "module"
}
`,
	'tsconfig.json': `{
	"compilerOptions": {
		"strict": true,
		"noEmit": true,
		"module": "nodenext",
		"allowImportingTsExtensions": true,
		"types": []
	},
	"include": ["src"]
}
`,
	'src/price.ts': `const menu = {tea: 250, cake: 380, sandwich: 540};

export type Item = keyof typeof menu;

/** Returns what an item costs, in cents. */
export const price = (item: Item): number => menu[item];
`,
	'src/total.ts': `import {type Item, price} from './price.ts';

/** Returns what a guest pays, in cents. */
export const total = (items: readonly Item[]): number =>
	items.reduce((cents, item) => cents + price(item), 0);
`,
	'test/total.test.ts': `import assert from 'node:assert/strict';
import test from 'node:test';
import {total} from '../src/total.ts';

test('a tea and a cake cost 6.30', () => {
	assert.equal(total(['tea', 'cake']), 630);
});
`,
};
