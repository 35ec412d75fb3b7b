import {showStatus} from '../commands/status.ts';
import {run} from '../run.ts';

/** Runs `status [--json]`. */
const main = (words: readonly string[]): Promise<void> =>
	run(words, () => showStatus({json: words.includes('--json')}));

export default main;
