import {describe, expect, it} from 'vitest';
import {itemText} from '../../../src/client/texts/item-text.ts';
import {readDecision} from '../../../src/rules/commands/read-decision.ts';
import {inbox} from '../../../src/rules/inbox.ts';
import {recordsOf} from '../../../src/rules/question-record.ts';
import {itemOf} from '../../../src/state/select.ts';
import {asking, type Given, working} from '../../helpers/given.ts';

const auth = '{question: Which auth?, options: [oauth, jwt]}';

/** Three agents, each of which asked what is given for it. */
const asked = (...questions: readonly string[]): Given => {
	const session = working(['AGT-001', 'AGT-002', 'AGT-003']);
	for (const [index, question] of questions.entries()) {
		session.says(`AGT-00${index + 1}`, asking(`questions: [${question}]`));
	}

	return session;
};

/** Answers several questions together; returns why not, if so. */
const answers = (session: Given, ...pairs: readonly (readonly [string, string])[]) => {
	const state = session.state();
	return session.ask({
		kind: 'answer',
		answers: pairs.map(([id, choice]) => {
			const item = itemOf(state, id);
			const command = item && readDecision(state, item, {item: id, choice, by: 'user'});
			if (command?.kind !== 'decide' || command.on !== 'question') {
				throw new Error(`${choice} is no answer to ${id}.`);
			}

			return command;
		}),
	});
};

const sameAs = (session: Given, id: string) => {
	const item = inbox(session.state()).find(item => item.id === id);
	return item?.kind === 'question' ? item.same : undefined;
};

describe('the same question of several agents', () => {
	it('is known for it by its words and options, however it is spaced and spelled', () => {
		const session = asked(auth, '{question: "which  AUTH? ", options: [JWT, OAuth]}', auth);
		expect(sameAs(session, 'q-1')).toEqual([
			{item: 'q-2', agent: 'AGT-002'},
			{item: 'q-3', agent: 'AGT-003'},
		]);
	});

	it('is another one with other options, for another kind of answer, or of the same agent', () => {
		const session = asked(
			`${auth}, ${auth}`,
			'{question: Which auth?, options: [oauth, saml]}',
			'{question: Which auth?, options: [oauth, jwt], type: text}',
		);
		expect(session.state().items.map(({id}) => sameAs(session, id))).toEqual(
			Array.from({length: 4}, () => undefined),
		);
	});

	it('tells in the list who asks it, too, and how all of them are answered', () => {
		const [item] = inbox(asked(auth, auth).state());
		expect(item && itemText(item, 'store')).toContain(
			'Also asked: AGT-002 asks the same (q-2); delegate-tui answer q-1 ANSWER --same is for all of them',
		);
	});

	it('is answered for all who ask it, each in its own spelling, told and kept for each', () => {
		const session = asked(auth, '{question: Which auth?, options: [OAUTH, JWT]}');
		expect(answers(session, ['q-1', 'jwt'], ['q-2', 'jwt'])).toBeUndefined();
		expect(session.kinds()).toEqual([]);
		expect(session.agent('AGT-001').replies).toMatchObject([{text: 'jwt'}]);
		expect(session.agent('AGT-002').replies).toMatchObject([{text: 'JWT'}]);
		expect(recordsOf(session.events())).toMatchObject([
			{item: 'q-1', closed: {answer: 'jwt', by: 'user'}},
			{item: 'q-2', closed: {answer: 'JWT', by: 'user'}},
		]);
	});

	it('is answered for one only where nobody says more', () => {
		const session = asked(auth, auth);
		session.decide('q-1', 'jwt');
		expect(session.state().items.map(({id}) => id)).toEqual(['q-2']);
		expect(session.agent('AGT-002').replies).toEqual([]);
	});
});

describe('answers that are given together', () => {
	it('are refused together when one of them is', () => {
		const session = asked('{question: Which port?, type: number}', auth);
		const before = session.events().length;
		expect(answers(session, ['q-2', 'jwt'], ['q-1', 'many'])).toBe(
			'q-1: "many" is not a number. None of the answers was given.',
		);
		expect(session.events()).toHaveLength(before);
	});

	it('are one for each question', () => {
		const session = asked(auth);
		expect(answers(session, ['q-1', 'jwt'], ['q-1', 'oauth'])).toBe(
			'q-1: You answered it twice. None of the answers was given.',
		);
	});
});
