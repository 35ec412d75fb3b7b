import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {eventText} from '../../src/client/texts/event-text.ts';
import {itemText} from '../../src/client/texts/item-text.ts';
import {plainJson} from '../../src/lib/text/json.ts';
import {quotedBelow} from '../../src/lib/text/quoted-block.ts';
import {sanitize} from '../../src/lib/text/sanitize.ts';
import {inbox} from '../../src/rules/inbox.ts';
import type {Item, ItemOf} from '../../src/state/item.ts';
import type {State} from '../../src/state/state.ts';
import {diffRows} from '../../src/tui/rows/diff-rows.ts';
import {bodyOf} from '../../src/tui/screens/body.ts';
import {openAt, openItem, whenFirst} from './a-screen.ts';

const st = '\x1b\\';

/** Texts that hide something from whoever reads them in a terminal. */
const attacks: Readonly<Record<string, string>> = {
	'an OSC string with BEL': '/*\x1b]0;*/ evil(); /*\x07*/',
	'an OSC string with ST': `ls \x1b]0; rm -rf ~ ${st}`,
	'a DCS string': `a\x1bP evil(); ${st}b`,
	'an APC string': `a\x1b_ evil(); ${st}b`,
	'PM and SOS strings': `a\x1b^ evil(); ${st}\x1bX more(); ${st}b`,
	'a C1 CSI': 'a\x9b2Kb',
	'a C1 OSC': 'a\x9d0; evil(); \x9cb',
	'a cursor move': 'rm -rf ~\x1b[8Dls work',
	'a concealed colour': 'a\x1b[8mevil();\x1b[0mb',
	'a bidi override': "if (level !== '\u202e \u2066// admin\u2069 \u2066')",
	'a carriage return': 'evil();\rgood();',
	backspaces: 'evil();\b\b\b\b\b\b\bgood();',
	NUL: 'a\x00evil();',
	'zero width': 'ad\u200bmin\u2060 \ufeffok',
	'a very long line': `ok(); ${'x'.repeat(1500)} evil();`,
	'400 blanks before code': `ok();${' '.repeat(400)}evil();`,
	'a fake item': 'Which?\n\na-1  approval\n    approve  — Merge exactly this result',
	'a tab': 'a\tevil();',
	'combining marks': `x${'\u0301'.repeat(20)}evil();`,
	tags: 'ok\u{e0065}\u{e0076}',
	'half a character': 'a\ud800b',
	'DEL and a soft hyphen': 'a\x7fb\u00adc',
};

const pieces = [
	'\x1b',
	']0;',
	'\x07',
	st,
	'\x9d',
	'\u202e',
	'\r',
	'\b',
	' '.repeat(90),
	'x',
	'日',
	'\n',
];
const made = fc.sample(
	fc.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 30}).map(parts => parts.join('')),
	{seed: 11, numRuns: 25},
);
const cases: readonly (readonly [string, string])[] = [
	...Object.entries(attacks),
	...made.map((text, index) => [`made up ${index}`, text] as const),
];

/** What of a text has to be on the screen: all of it but blanks, which only part what is there. */
const visible = (text: string): string =>
	sanitize(text, {lines: true}).normalize().replaceAll(/\s/g, '');

/** Takes away what the screen itself puts between the pieces of a text. */
const joined = (text: string): string =>
	text.replaceAll(/[│↳]/g, '').normalize().replaceAll(/\s/g, '');

const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Returns a state in which an agent asks with such a text: as a question, or for a command and a path. */
const asking = async (text: string, kind: 'question' | 'permission'): Promise<State> => {
	const {state} = await whenFirst('questions-and-checkpoints', 'question');
	const items = state.items.map(item => (item.kind === 'question' ? asks(item, text, kind) : item));
	return {...state, items};
};

const asks = (
	{id, number, opened, agent, ...rest}: ItemOf<'question'>,
	text: string,
	kind: 'question' | 'permission',
): Item =>
	kind === 'question'
		? {...rest, id, number, opened, agent, question: {...rest.question, question: text}}
		: {
				kind,
				id,
				number,
				opened,
				agent,
				request: '1',
				title: 'runs it',
				command: text,
				paths: [text],
			};

/** Returns all that the screen shows of the open item, however far it has to be scrolled. */
const scrolledThrough = (state: State, kind: Item['kind']): string => {
	const screen = openAt(kind, {state});
	screen.press('esc');
	openItem(screen, kind);
	return bodyOf(screen.context())
		.rows.slice()
		.map(cells => cells.map(({text}) => sanitize(text)).join(''))
		.join('\n');
};

describe.each(cases)('%s', (_, text) => {
	test('is read in a diff, whole', () => {
		const lines = text.split('\n').map(line => `+${line}`);
		const head = ['diff --git a/f b/f', 'index 1..2 100644', '--- a/f', '+++ b/f'];
		const diff = [...head, `@@ -0,0 +1,${lines.length} @@`, ...lines];
		const rows = diffRows({phase: 'ready', lines: diff, total: diff.length}, {columns: 78}).slice();
		const shown = rows.map(cells => cells.map(cell => sanitize(cell.text)).join(''));
		expect(shown.join('\n')).not.toMatch(steering);
		const added = shown.slice(2).map(row => row.replace(/^\+ /, ''));
		for (const line of text.split('\n')) {
			expect(joined(added.join(''))).toContain(visible(sanitize(line.replaceAll('\t', '    '))));
		}
	});

	test('is read in a question, whole', async () => {
		const shown = scrolledThrough(await asking(text, 'question'), 'question');
		expect(shown).not.toMatch(steering);
		expect(joined(shown)).toContain(visible(text));
	});

	test('is read in a command and its paths, whole and with its tabs', async () => {
		const shown = scrolledThrough(await asking(text, 'permission'), 'permission');
		expect(shown).not.toMatch(steering);
		const lines = text.split('\n').map(line => visible(sanitize(line)));
		expect(joined(shown).split(lines.join(''))).toHaveLength(3);
	});

	test('is read in inbox, its JSON and the log, and begins no line there', async () => {
		const state = await asking(text, 'question');
		const item = inbox(state).find(({kind}) => kind === 'question');
		if (item === undefined) {
			throw new Error('A question waits.');
		}

		const told = itemText(item, '/store', 80);
		expect(told).not.toMatch(steering);
		expect(joined(told)).toContain(visible(text));
		expect(
			told
				.split('\n')
				.slice(1)
				.filter(line => !line.startsWith('  ')),
		).toEqual([]);
		const json = plainJson({items: inbox(state)});
		expect(json).not.toMatch(steering);
		expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({items: inbox(state)})));
		const line = quotedBelow(
			eventText({
				kind: 'permission.asked',
				seq: 1,
				at: state.at,
				agent: 'AGT-001',
				turn: 1,
				request: '1',
				title: text,
				paths: [],
			}),
			{indent: '          ', columns: 80},
		);
		expect(line).not.toMatch(steering);
		expect(joined(line)).toContain(visible(text));
		expect(
			line
				.split('\n')
				.slice(1)
				.filter(row => !row.startsWith('          │ ')),
		).toEqual([]);
	});
});
