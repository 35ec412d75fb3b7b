import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	agentEntry,
	agentText,
	isQuoteOpen,
	joinCommands,
	joinWords,
	splitCommands,
	splitWords,
} from '../../../src/tui/plan/fields.ts';

/** Text with all that could be taken for something else. */
const odd = fc.string({unit: fc.constantFrom('a', 'b', ' ', "'", '"', '\\', '*', '/', ':', '\n')});

describe('words on a line', () => {
	test.each([
		['src/** test/**', ['src/**', 'test/**']],
		['  a   b  ', ['a', 'b']],
		['"my docs/**" a', ['my docs/**', 'a']],
		[`bash -c 'echo "hi"'`, ['bash', '-c', 'echo "hi"']],
		[`it"'"s`, ["it's"]],
		['src\\**', ['src\\**']],
		["a ''", ['a', '']],
		['"not closed', ['not closed']],
		['', []],
	])('%j is %j', (line, words) => {
		expect(splitWords(line)).toEqual(words);
	});

	test('are read as they were written, whatever they hold', () => {
		fc.assert(
			fc.property(fc.array(odd), words => {
				expect(splitWords(joinWords(words))).toEqual(words);
				expect(isQuoteOpen(joinWords(words))).toBe(false);
			}),
		);
	});

	test.each([
		['"a', true],
		['\'a "b', true],
		[`"a'b"`, false],
		['a b', false],
	])('%j ends inside a quote: %s', (line, isOpen) => {
		expect(isQuoteOpen(line)).toBe(isOpen);
	});
});

describe('commands, one a line', () => {
	test('a line that begins with a space goes on with the command above it', () => {
		expect(splitCommands('npm test\n\nfor x in a\n  do\n    echo')).toEqual([
			'npm test',
			'for x in a\ndo\n  echo',
		]);
	});

	test('are read as they were written', () => {
		const command = fc.tuple(fc.constantFrom('a', '"'), odd).map(parts => parts.join(''));
		fc.assert(
			fc.property(fc.array(command), commands => {
				expect(splitCommands(joinCommands(commands))).toEqual(commands);
			}),
		);
	});
});

describe('an agent on a line', () => {
	const profiles = ['claude', 'my agent'];

	test.each([
		['', undefined],
		['claude', 'claude'],
		[' claude ', 'claude'],
		['my agent', 'my agent'],
		['nobody', 'nobody'],
		['bash agent.sh', {protocol: 'text', command: ['bash', 'agent.sh']}],
		['./agent', {protocol: 'text', command: ['./agent']}],
		['text: agent', {protocol: 'text', command: ['agent']}],
		['acp: gemini --acp', {protocol: 'acp', command: ['gemini', '--acp']}],
	])('%j is %j', (line, entry) => {
		expect(agentEntry(line, profiles)).toEqual(entry);
	});

	test('is read as it was written, whatever its command', () => {
		const command = fc
			.tuple(
				odd.filter(text => text !== ''),
				fc.array(odd),
			)
			.map(([first, rest]) => [first, ...rest]);
		fc.assert(
			fc.property(fc.constantFrom('text', 'acp'), command, (protocol, words) => {
				const entry = {protocol, command: words};
				expect(agentEntry(agentText(entry, profiles), profiles)).toEqual(entry);
			}),
		);
	});
});
