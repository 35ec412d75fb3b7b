import {expect, test} from 'vitest';
import {makeQuestionRoom} from './question-room.ts';

const ask = (fields: string): string =>
	`[CLARIFICATION_NEEDED]\n${fields}\n[/CLARIFICATION_NEEDED]\n`;

test('200 questions wait, and each finds its answer', async () => {
	const agents = Array.from({length: 10}, (_, index) => `AGT-0${index + 10}`);
	const room = await makeQuestionRoom(undefined, agents);
	for (const agent of agents) {
		const questions = Array.from(
			{length: 20},
			(_, index) => `{question: "${agent} ${index}?", type: number}`,
		);
		room.given.says(agent, ask(`questions: [${questions.join(', ')}]`));
	}

	await room.look();
	const names = room.names('questions/pending');
	expect(names).toHaveLength(200);
	for (const [index, name] of names.entries()) {
		room.put(`answers/${name.replace(/json$/, 'txt')}`, `${index}\n`);
	}

	await room.look();
	expect(room.given.kinds()).toEqual([]);
	expect(room.names('questions/pending')).toEqual([]);
	expect(room.text('audit/questions.log').trim().split('\n')).toHaveLength(200);
	for (const [index, name] of names.entries()) {
		expect(room.json(`questions/answered/${name}`)).toMatchObject({answer: `${index}`});
	}
});
