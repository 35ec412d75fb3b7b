import {showInbox} from '../commands/inbox.ts';
import {run} from '../run.ts';

/** Runs `inbox [--json]`. */
const main = (words: readonly string[]): Promise<void> =>
	run(words, () => showInbox({json: words.includes('--json')}));

export default main;
