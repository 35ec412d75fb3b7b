import {afterEach, describe, expect, test} from 'vitest';
import {makeReader, type Reader} from '../../../src/conflicts/source/reader.ts';

const open: Reader[] = [];
const reading = (...options: Parameters<typeof makeReader>): Reader => {
	const reader = makeReader(...options);
	open.push(reader);
	return reader;
};

/** Longer than any machine takes that is merely busy. */
const long = 1_000_000;

const patient = (): Reader => reading({limit: long});

afterEach(async () => {
	await Promise.all(open.splice(0).map(reader => reader.close()));
});

const program = (code: string): URL =>
	new URL(
		`data:text/javascript,${encodeURIComponent(`import {parentPort} from 'node:worker_threads'; ${code}`)}`,
	);

const question = {grammar: 'python', text: 'def area(side):\n\treturn side\n'} as const;

describe('a reader', () => {
	test('tells the names of a file', async () => {
		const facts = await patient().read(question);
		expect(facts).toMatchObject({
			definitions: [{name: 'area', kind: 'function', line: 1, parameters: {min: 1, max: 1}}],
			isBroken: false,
		});
	});

	test('ends a parser that hangs, and the file counts as unread', async () => {
		const hanging = program("parentPort.on('message', () => { for (;;); })");
		expect(await reading({program: hanging, limit: 1}).read(question)).toBe('parser took too long');
	});

	test('starts over after a parser that crashed', async () => {
		const crashing = program(
			"parentPort.on('message', ({text}) => { if (text === 'bad') throw new Error('no'); parentPort.postMessage({text}); })",
		);
		const reader = reading({program: crashing, limit: long});
		const answers = ['good', 'bad', 'good'].map(text => reader.read({grammar: 'python', text}));
		expect(await Promise.all(answers)).toEqual([{text: 'good'}, 'parser failed', {text: 'good'}]);
	});

	test('says what a parser could not make sense of', async () => {
		const facts = await patient().read({grammar: 'python', text: 'def (:\n'});
		expect(facts).toMatchObject({isBroken: true});
	});
});
