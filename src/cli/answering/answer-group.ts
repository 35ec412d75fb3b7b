import {quotedBlock} from '../../lib/text/quoted-block.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import type {ItemOf} from '../../state/item.ts';
import {optionsOf} from '../../state/items/question/answer.ts';
import type {Here} from '../here.ts';
import {columnsHere, print} from '../output.ts';
import type {Questions} from '../questions.ts';
import {askSupervisor} from '../reach-supervisor.ts';

/**
Asks for an answer to each question of a group, and gives all of them together; an empty one leaves its question open.

@throws `Failure` of kind `refused` when one of the answers is of no use; then none was given.
*/
export const answerGroup = async (
	here: Here,
	group: readonly ItemOf<'question'>[],
	ask: Questions['ask'],
): Promise<void> => {
	const answers: {item: string; choice: string}[] = [];
	for (const [index, item] of group.entries()) {
		print(`\n${questionText(item, `${index + 1} of ${group.length}`)}`);
		const choice = await ask('Your answer (empty: leave it open): ');
		if (choice !== '') {
			answers.push({item: item.id, choice});
		}
	}

	if (answers.length === 0) {
		print('Nothing was answered.');
		return;
	}

	await askSupervisor(here, {do: 'answer', by: 'user', answers});
	print(answers.map(({item, choice}) => `${item}: ${choice}`).join('\n'));
};

const questionText = ({id, question, anyAnswer}: ItemOf<'question'>, position: string): string => {
	const need = anyAnswer ? 'any of them is enough' : question.required ? 'required' : 'optional';
	const options = optionsOf(question).join(' | ');
	const columns = columnsHere();
	return [
		`${position}  ${id}, ${need}`,
		quotedBlock(question.question, {indent: '  ', columns}),
		...(options === '' ? [] : [quotedBlock(sanitize(options), {indent: '    ', columns})]),
	].join('\n');
};
