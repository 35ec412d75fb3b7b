import {compare} from '../../../src/conflicts/compare.ts';
import {withReadingStore} from '../../../src/git/store/store.ts';
import {took} from '../took.ts';

/*
Compares two commits, then a later one with the second again, and prints the time of each as JSON. It is a program of its own, since only the first comparison of a process is a cold one.
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
