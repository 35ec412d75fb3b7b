import {graphemes} from '../../lib/text/sanitize.ts';
import {widthOf} from '../rows/text.ts';

/** Text that a person is writing, with the cursor's index. */
export type Draft = {readonly text: string; readonly at: number};

export const emptyDraft: Draft = {text: '', at: 0};

/** Returns a draft of a text, with the cursor at its end. */
export const draftOf = (text: string): Draft => ({text, at: text.length});

/** Returns the key of the draft of a profile's name, which is no message to the agent. */
export const profileDraft = (agent: string): string => `${agent} as`;

/** Returns the key of the draft of a comment, before it is part of the note or message with that key. */
export const commentDraft = (letter: string): string => `${letter} on lines`;

/** Inserts text at the cursor. Pasted newlines are kept; other control characters are removed. */
export const insert = ({text, at}: Draft, written: string): Draft => {
	const clean = written
		.replaceAll(/\r\n?/g, '\n')
		.replaceAll('\t', '    ')
		.replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '');
	return {text: text.slice(0, at) + clean + text.slice(at), at: at + clean.length};
};

/** Editing commands by key name; other keys are inserted. */
export const editingKeys: Readonly<Record<string, (draft: Draft) => Draft>> = {
	left: draft => ({...draft, at: before(draft)}),
	right: draft => ({...draft, at: after(draft)}),
	up: draft => moveLine(draft, -1),
	down: draft => moveLine(draft, 1),
	home: draft => ({...draft, at: lineStart(draft)}),
	end: draft => ({...draft, at: lineEnd(draft)}),
	'ctrl+a': draft => ({...draft, at: lineStart(draft)}),
	'ctrl+e': draft => ({...draft, at: lineEnd(draft)}),
	backspace: draft => without(draft, before(draft), draft.at),
	delete: draft => without(draft, draft.at, after(draft)),
	'ctrl+w': draft => without(draft, wordStart(draft), draft.at),
	'ctrl+u': draft => without(draft, lineStart(draft), draft.at),
	'ctrl+k': draft => without(draft, draft.at, lineEnd(draft)),
};

/** Returns the index before the last grapheme, which may have several code units. */
const before = ({text, at}: Draft): number => {
	const last = [...graphemes(text.slice(0, at))].at(-1);
	return last?.index ?? 0;
};

const after = ({text, at}: Draft): number => {
	const [first] = graphemes(text.slice(at));
	return at + (first?.segment.length ?? 0);
};

const without = ({text}: Draft, from: number, to: number): Draft => ({
	text: text.slice(0, from) + text.slice(to),
	at: from,
});

const lineStart = ({text, at}: Draft): number => text.lastIndexOf('\n', at - 1) + 1;

const lineEnd = ({text, at}: Draft): number => {
	const end = text.indexOf('\n', at);
	return end === -1 ? text.length : end;
};

const wordStart = ({text, at}: Draft): number =>
	at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);

const moveLine = (draft: Draft, by: -1 | 1): Draft => {
	const start = lineStart(draft);
	const target = by === -1 ? start - 1 : lineEnd(draft) + 1;
	if (target < 0 || target > draft.text.length) {
		return draft;
	}

	const there = lineStart({...draft, at: target});
	const end = lineEnd({...draft, at: target});
	return {...draft, at: Math.min(there + draft.at - start, end)};
};

/** Breaks a draft into lines of at most `columns`, with the row and character of the cursor; unlike for shown text, all characters are kept. */
export const draftLines = ({text, at}: Draft, columns: number) => {
	const lines: string[] = [''];
	let width = 0;
	let cursor = {row: 0, index: 0};
	let index = 0;
	for (const {segment} of graphemes(text)) {
		const cells = widthOf(segment);
		if (segment !== '\n' && width + cells > columns) {
			lines.push('');
			width = 0;
		}

		if (index === at) {
			cursor = {row: lines.length - 1, index: lines.at(-1)?.length ?? 0};
		}

		if (segment === '\n') {
			lines.push('');
			width = 0;
		} else {
			lines[lines.length - 1] += segment;
			width += cells;
		}

		index += segment.length;
	}

	const end = {row: lines.length - 1, index: lines.at(-1)?.length ?? 0};
	return {lines, ...(at >= text.length ? end : cursor)};
};
