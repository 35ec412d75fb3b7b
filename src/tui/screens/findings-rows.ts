import type {Evidence, Finding} from '../../events/finding.ts';
import {meetingOf} from '../../rules/collision-matrix.ts';
import {meetingText} from '../formatting/matrix-rows.ts';
import type {Context, Place} from '../model/view.ts';
import {quoted, quotedExactly} from '../rows/quoted.ts';
import {blank, paragraph, type Row, row, span} from '../rows/row.ts';

/** What was found between two sides, each with the lines of both; what agents and files say stands behind bars. */
export const findingsRows = (
	{model, view}: Context,
	{between}: Extract<Place, {at: 'findings'}>,
): readonly Row[] => {
	const {columns} = view.size;
	const meeting = meetingOf(model.state, ...between);
	const intro = [...paragraph(meetingText(model.state, between), columns), blank];
	if (meeting.standing !== 'compared') {
		return intro;
	}

	const {a, b, findings, more} = meeting;
	return [
		...intro,
		...findings.flatMap(finding => findingRows(finding, {a, b}, columns)),
		...(more > 0 ? paragraph(`And ${more} more, of which only the number is kept.`, columns) : []),
	];
};

type Names = Readonly<Record<Evidence['side'], string>>;

const findingRows = (finding: Finding, names: Names, columns: number): readonly Row[] => {
	const {type, rule, blocking, confidence, summary, confirmed, evidence} = finding;
	const [weight, tone] = blocking
		? (['✗ blocks', 'bad'] as const)
		: ([`! note, ${confidence} confidence`, 'warn'] as const);
	return [
		[span(weight, tone), span(`  ${type} ${rule}`, 'strong')],
		...quoted(summary, columns),
		...(confirmed === undefined
			? []
			: [row('Confirmed by', 'dim'), ...quoted(`${confirmed.by}: ${confirmed.text}`, columns)]),
		...evidence.flatMap(one => evidenceRows(one, names[one.side], columns)),
		blank,
	];
};

const evidenceRows = (
	{path, line, text, removed, section}: Evidence,
	name: string,
	columns: number,
): readonly Row[] => [
	[span(name, 'strong'), ...(removed ? [span(' took out', 'dim')] : [])],
	...quotedExactly(line === undefined ? path : `${path}:${line}`, columns, 'location'),
	...(section === undefined ? [] : quotedExactly(`in ${section}`, columns, 'dim')),
	...(text === undefined ? [] : quotedExactly(text, columns, removed ? 'removed' : 'plain')),
];
