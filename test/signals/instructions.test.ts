import {expect, test} from 'vitest';
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
