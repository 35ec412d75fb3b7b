import {sanitize} from '../../lib/sanitize.ts';
import {shortOid} from '../../lib/short-oid.ts';
import type {InboxItem} from '../../rules/inbox.ts';

/**
Returns an item of the inbox with its choices, as lines for a person.

@param store The supervisor's git repository, in which the work that an item is about can be looked at.
*/
export const itemText = (item: InboxItem, store: string): string =>
	[
		`${item.id}  ${item.agent === undefined ? '' : `${item.agent}  `}${item.title}`,
		...lookText(item, store),
		...item.choices.map(
			({choice, label, whyNot}) =>
				`    ${choice}${label === choice ? '' : `  — ${label}`}${whyNot === undefined ? '' : ` (not now: ${whyNot})`}`,
		),
		...(item.free ? ['    …or any text'] : []),
	].join('\n');

/** Nobody should have to accept or approve what can't be looked at. A name may hold line ends, and must not make up lines. */
const lookText = (
	{from, to, log, notes, refused, warnings}: InboxItem,
	store: string,
): readonly string[] => [
	...(typeof refused === 'object' && refused !== null && 'hint' in refused
		? [`    Hint: ${String(refused.hint)}`]
		: []),
	...(Array.isArray(warnings) ? warnings.map(warning => `    ${sanitize(String(warning))}`) : []),
	...(Array.isArray(notes) ? notes.map(note => `    worth a look: ${sanitize(String(note))}`) : []),
	...(typeof from === 'string' && typeof to === 'string' && from !== to
		? [`    look at it: git --git-dir='${store}' diff ${shortOid(from)} ${shortOid(to)}`]
		: []),
	...(typeof log === 'object' && log !== null && 'path' in log
		? [`    its check:  ${String(log.path)}, in the session's folder`]
		: []),
];
