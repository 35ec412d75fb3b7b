import type {Evidence, Finding} from '../../../events/finding.ts';
import {quote, wrap} from './page.ts';

/** What breaks between two, as lines: in a sentence, in a checker's words, and in the lines of both. */
export const collidedLines = (
	{summary, confirmed, evidence}: Pick<Finding, 'summary' | 'confirmed' | 'evidence'>,
	names: Readonly<Record<Evidence['side'], string>>,
): readonly string[] => [
	...wrap(`${names.a} and ${names.b}  ${summary}`, '  '),
	...quote(
		[
			...(confirmed === undefined ? [] : [`${confirmed.by}: ${confirmed.text}`]),
			...evidence.map(one =>
				`${names[one.side]}  ${locationText(one)}  ${one.text ?? ''}`.trimEnd(),
			),
		].join('\n'),
	),
];

const locationText = ({path, line}: Evidence): string =>
	line === undefined ? path : `${path}:${line}`;
