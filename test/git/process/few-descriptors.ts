import {argv} from 'node:process';
import {sealed} from '../../../src/git/process/sealed.ts';
import {user} from '../../../src/git/process/user.ts';
import {openDescriptors, takeAllBut} from '../../helpers/descriptors.ts';

/** The words are the folder of a repository and how many descriptors are left. */
const [, , root = '', left = ''] = argv;

const run = (): Promise<unknown> =>
	Promise.all([
		sealed({gitDir: `${root}/.git`}, ['rev-parse', 'HEAD']),
		user(root, ['rev-parse', 'HEAD'], {expect: 'any'}),
	]);

await run();
const giveBack = takeAllBut(Number(left));
const before = openDescriptors();
const results = await Promise.allSettled(Array.from({length: 8}, run));
const kept = openDescriptors() - before;
giveBack();
const failed = results.flatMap(one => (one.status === 'rejected' ? [String(one.reason)] : []));
await run();
console.log(JSON.stringify({failed, kept}));
