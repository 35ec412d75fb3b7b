import {barred, barredBelow} from '../../lib/text/barred.ts';
import {sanitize} from '../../lib/text/sanitize.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import {evidenceText} from '../../state/evidence-text.ts';
import {questionText} from './question-text.ts';
import {saidText} from './said-text.ts';

/**
Returns an item of the inbox with its choices, as lines for a person; what agents wrote stands behind bars.

@param store The supervisor's git repository, in which the work that an item is about can be looked at.
@param columns Those of the terminal; without them no line is broken.
*/
export const itemText = (item: InboxItem, store: string, columns?: number): string =>
	[
		`${item.id}  ${item.agent === undefined ? '' : `${item.agent}  `}${item.kind}`,
		barred(item.title, {indent: '  ', columns}),
		...questionText(item, columns),
		...saidText(item, columns),
		...breakageText(item).map(line => ownLine(line, columns)),
		...lookText(item, store, columns),
		...item.choices.map(choice => choiceText(item, choice, columns)),
		...(item.free ? ['    …or any text'] : []),
	].join('\n');

/** The options of a question are its agent's words. */
const choiceText = (
	{kind}: InboxItem,
	{choice, label, whyNot}: InboxItem['choices'][number],
	columns: number | undefined,
): string => {
	const text = `${choice}${label === choice ? '' : `  — ${label}`}${whyNot === undefined ? '' : ` (unavailable: ${whyNot})`}`;
	return kind === 'question' && choice !== 'snooze'
		? barred(sanitize(text), {indent: '    ', columns})
		: barredBelow(`    ${sanitize(text)}`, {indent: '      ', columns});
};

/** Nobody should have to accept or approve what can't be looked at. A name may hold line ends, and must not make up lines. */
const lookText = (
	{from, to, log, notes, refused, warnings, compared}: InboxItem,
	store: string,
	columns: number | undefined,
): readonly string[] => [
	...(typeof refused === 'object' && refused !== null && 'hint' in refused
		? [`    Hint: ${String(refused.hint)}`]
		: []),
	...(Array.isArray(warnings) ? warnings.map(warning => ownLine(String(warning), columns)) : []),
	...(Array.isArray(notes) ? notes.map(note => ownLine(`worth a look: ${note}`, columns)) : []),
	...(typeof compared === 'string' ? [ownLine(compared, columns)] : []),
	...(typeof from === 'string' && typeof to === 'string' && from !== to
		? [`    look at it: git --git-dir='${store}' diff ${shortOid(from)} ${shortOid(to)}`]
		: []),
	...(typeof log === 'object' && log !== null && 'path' in log
		? [`    its check:  ${String(log.path)}, in the session's folder`]
		: []),
];

/** What breaks although git merges it: what a person can't see in any diff. */
const breakageText = ({kind, a, b, type, rule, evidence, confirmed}: InboxItem): string[] =>
	kind !== 'conflict' || !Array.isArray(a) || !Array.isArray(b) || !Array.isArray(evidence)
		? []
		: [
				`${String(type)} ${String(rule)}`,
				`${a.join('+')}: ${evidenceText(evidence, 'a')}`,
				`${b.join('+')}: ${evidenceText(evidence, 'b')}`,
				...(typeof confirmed === 'object' &&
				confirmed !== null &&
				'by' in confirmed &&
				'text' in confirmed
					? [`confirmed by ${String(confirmed.by)}: ${String(confirmed.text)}`]
					: []),
			];

const ownLine = (text: string, columns: number | undefined): string =>
	barredBelow(`    ${sanitize(text)}`, {indent: '      ', columns});
