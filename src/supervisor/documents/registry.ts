import type {State} from '../../state/state.ts';
import type {HistoryRow} from './history.ts';
import {headingsOf, sectionOf, withHeadings} from './registry-headings.ts';
import {endOfSession, linesOfPersons, none, sessionText} from './session-text.ts';

/**
Returns the delegation registry: what the file held already, and in it the session of a state as it is now.

Only our own text is ever replaced: what stands for the session under way, and for this one among the archived sessions. Everything else stays where it is; what a person wrote within the text of a session comes to stand below it.
*/
export const renderRegistry = (
	state: State,
	rows: readonly HistoryRow[],
	existing: string,
): string => {
	const {session} = state;
	const isEnded = session?.ended !== undefined;
	const whole = withHeadings(existing);
	const {text, abandoned} = withActive(
		whole,
		session?.session,
		isEnded ? none : sessionText(state, rows, '###'),
	);
	const known = abandoned === undefined ? text : withArchived(text, abandoned);
	return isEnded
		? withArchived(known, {id: session.session, text: sessionText(state, rows, '####')})
		: known;
};

type ArchivedSession = {readonly id: string; readonly text: string};

/** Also returns, for the archive, what stood as under way although another session is: one whose end nobody wrote down here. */
const withActive = (
	text: string,
	session: string | undefined,
	wanted: string,
): {readonly text: string; readonly abandoned: ArchivedSession | undefined} => {
	const {start, end} = sectionOf(text, headingsOf(text).active);
	const {above, own, below} = takeApart(text.slice(start, end));
	const id = /^\*\*Session ID\*\*: (\S+)/.exec(own)?.[1];
	const isAbandoned = id !== undefined && id !== session;
	const section = paragraphs(above, wanted, isAbandoned ? '' : linesOfPersons(own), below);
	return {
		text: [text.slice(0, start), section, text.slice(end)].filter(part => part !== '').join('\n\n'),
		abandoned: isAbandoned ? {id, text: own.replaceAll(/^(?=###)/gm, '#')} : undefined,
	};
};

type ActiveParts = {readonly above: string; readonly own: string; readonly below: string};

const takeApart = (section: string): ActiveParts => {
	const found = /^(?:\*\*Session ID\*\*: |None\.[ \t]*$)/m.exec(section);
	if (found === null) {
		return {above: section, own: '', below: ''};
	}

	const rest = section.slice(found.index);
	const end = rest.startsWith(none) ? none.length : (endOfSession(rest) ?? rest.length);
	return {above: section.slice(0, found.index), own: rest.slice(0, end), below: rest.slice(end)};
};

/** A session that is archived once more replaces what was written of it before; a new one comes before the others. */
const withArchived = (text: string, {id, text: session}: ArchivedSession): string => {
	const {start} = sectionOf(text, headingsOf(text).archive);
	const [above = '', ...parts] = text.slice(start).split(/^(?=### Session |#{1,2} )/m);
	const isOwn = (part: string) =>
		/^### Session (\S+)/.exec(part)?.[1] === id && endOfSession(part) !== undefined;
	const own = paragraphs(`### Session ${id}`, session);
	const kept = parts.map(part => {
		const end = isOwn(part) ? endOfSession(part) : undefined;
		return end === undefined
			? part
			: paragraphs(own, linesOfPersons(part.slice(0, end)), part.slice(end));
	});
	const all = parts.some(isOwn) ? kept : [own, ...kept];
	return `${paragraphs(text.slice(0, start), above, ...all)}\n`;
};

/** Joins texts with an empty line between them; the first line of a text keeps what it is indented by. */
const paragraphs = (...texts: readonly string[]): string =>
	texts
		.map(text => text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd())
		.filter(text => text !== '')
		.join('\n\n');
