import {compare} from '../../../src/conflicts/compare.ts';
import {withReadingStore} from '../../../src/git/store/store.ts';
import {took} from '../took.ts';

/*
Compares two commits, then one that comes later with the second again, and prints what each took as JSON. A program of its own: only the first look of a program is a cold one.
*/

const [gitDir = '', a = '', b = '', later = ''] = process.argv.slice(2);
const settings = {checkout: undefined, config: {}};
const {signal} = new AbortController();

await withReadingStore({gitDir}, async store => {
	const look = async (one: string): Promise<void> => {
		const {findings} = await compare(store, {a: one, b}, {settings, signal});
		if (!findings.some(({rule, blocking}) => rule === 'A2' && blocking)) {
			throw new Error('What breaks was not found.');
		}
	};
	const cold = await took(() => look(a));
	const warm = await took(() => look(later));
	console.log(JSON.stringify({cold, warm}));
});
