import {answerItem} from '../commands/answer.ts';
import {run} from '../run.ts';

/** Runs `answer [ITEM] [CHOICE...] [--json]`. */
const main = (words: readonly string[]): Promise<void> => {
	const [item, ...choice] = words.slice(1).filter(word => word !== '--json');
	return run(words, () => answerItem(item, choice, {json: words.includes('--json')}));
};

export default main;
