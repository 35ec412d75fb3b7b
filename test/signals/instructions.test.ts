import {expect, test} from 'vitest';
import {questionFields} from '../../src/signals/definitions/question.ts';
import {signals} from '../../src/signals/index.ts';
import {instructions} from '../../src/signals/instructions.ts';
import {parse, parseChunks} from './parse.ts';

test('the instructions name every signal with its help and its form', () => {
	const text = instructions();
	for (const {marker, help, template} of signals) {
		expect(text).toContain(`## Signal ${marker}\n\n${help}\n`);
		expect(text).toContain(template);
	}
});

test('the form of a finished phase has a dash before what stands below it, and is heard once it is filled in', () => {
	const [form = ''] = /^CHECKPOINT: ‹phase› complete\n(?:.+\n){2}/m.exec(instructions()) ?? [];
	expect(form).toMatch(/\n- Artifacts: ‹.+›\n- Status: ‹.+›\n$/);
	const filled = form
		.replace(/‹phase›/, 'Research')
		.replace(/‹.+›/, '3')
		.replace(/‹.+›/, 'Two reports');
	const said = {kind: 'phase_checkpoint', phase: 'Research', artifacts: 3, status: 'Two reports'};
	expect(parse(filled)).toMatchObject([said]);
});

test('the instructions name what can be said of each question, so that its answer can be checked', () => {
	const text = instructions();
	for (const name of Object.keys(questionFields)) {
		expect(text).toMatch(new RegExp(`^  - ${name} \\(.+\\): .+$`, 'm'));
	}
});

test('names that a plan expects are told like the others, each once, and echoing them says nothing', () => {
	const names = ['TESTS', 'COUNT', 'TESTS'];
	const text = instructions(names);
	expect(text.match(/^## Signal TESTS\n\n.+\n\n- value .+\n\nTESTS: ‹.+›\n/gm)).toHaveLength(1);
	expect(text.match(/^## Signal COUNT$/gm)).toHaveLength(1);
	expect(parse(text, names)).toEqual([]);
	expect(parse(`${text}TESTS: 12\n`, names)).toMatchObject([{kind: 'signal', name: 'TESTS'}]);
});

test.each([
	['as it is', (text: string) => text],
	['quoted', (text: string) => text.replaceAll(/^/gm, '> ')],
	['indented', (text: string) => text.replaceAll(/^/gm, '    ')],
	['in a fence', (text: string) => `\`\`\`\`\n${text}\`\`\`\`\n`],
	['in a fence that is not closed', (text: string) => `\`\`\`\n${text}`],
	['with the line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
	['in colour', (text: string) => text.replaceAll(/^(.+)$/gm, '\x1b[2m$1\x1b[0m')],
	['twice', (text: string) => text + text],
])('an agent that echoes the instructions %s says nothing', (_, echo) => {
	expect(parse(echo(instructions()))).toEqual([]);
});

test('an agent that echoes the instructions and goes on is heard', () => {
	const said = parseChunks([instructions(), 'STATUS: read\n']);
	expect(said).toMatchObject([{kind: 'status', value: 'read'}]);
});
