/** The till of a tea house: small enough to read in a minute, and with a check that can fail. */
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
	'src/menu.js': `/** Prices in cents. */
export const menu = {tea: 250, cake: 380, sandwich: 540};
`,
	'src/total.js': `import {menu} from './menu.js';

/** Returns what a guest pays, in cents. */
export const total = order => {
	const sum = order.items.reduce((cents, item) => cents + menu[item], 0);
	return sum;
};
`,
	'test/total.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import {total} from '../src/total.js';

test('a tea and a cake cost 6.30', () => {
	assert.equal(total({items: ['tea', 'cake']}), 630);
});
`,
};
