import type {Evidence, Finding} from '../../conflicts/finding.ts';
import type {OracleRun} from '../../conflicts/oracle/open-oracles.ts';
import {type PairReport, type Report, verdictOf} from '../../conflicts/report.ts';
import {unreadByReason} from '../../events/unread.ts';
import {counted} from '../../lib/text/counted.ts';
import {shortOid} from '../../lib/text/short-oid.ts';
import {unreadText} from '../../state/merge/unread-text.ts';

/** Returns a report for a person: each pair with its verdict, then what was found, both sides' lines below. */
export const reportText = ({inputs, base, pairs, oracles, unread, target}: Report): string =>
	[
		[
			...(base === null ? [] : [`Base ${shortOid(base)}`]),
			...inputs.map(
				({name, commit, files}) => `${name} ${shortOid(commit)}, ${counted(files, 'file')}`,
			),
		].join(' · '),
		...pairs.filter(hasMore).map(pairText),
		...(pairs.every(hasMore)
			? []
			: [
					pairs
						.filter(pair => !hasMore(pair))
						.map(pairText)
						.join('\n'),
				]),
		...(pairs.some(({clean}) => clean) ? [namesText(oracles, unread)] : []),
		...(target.red.length === 0
			? []
			: [`Red without any merge\n${redTexts(target.red).join('\n')}`]),
	].join('\n\n');

/** Says who looked at names and types, and what only git compared. */
const namesText = (oracles: readonly OracleRun[], unread: Report['unread']): string =>
	[checkersText(oracles), unreadText(unreadByReason(unread)) ?? []].flat().join('\n');

/** Says who checked the types, since a merge that nobody checked is less sure. */
const checkersText = (runs: readonly OracleRun[]): string =>
	runs.length === 0
		? 'Types were not checked: no installed checker reads what both sides changed.'
		: runs.map(runText).join('\n');

const runText = ({name, version, ms, failed, lacksPackages}: OracleRun): string => {
	if (failed !== undefined) {
		return `Types not checked by ${name} ${version}: ${failed}`;
	}

	const told = `Types checked by ${name} ${version} in ${(ms / 1000).toFixed(1)} s`;
	return lacksPackages === true ? `${told}, without the packages that the code depends on` : told;
};

const redTexts = (red: Report['target']['red']): readonly string[] => [
	...red.slice(0, mostRed).map(redText),
	...(red.length > mostRed ? [`  … and ${red.length - mostRed} more`] : []),
];

/** What is wrong already is not what was asked for; all of it stands in the JSON. */
const mostRed = 20;

const redText = ({file, line, text}: Report['target']['red'][number]): string =>
	file === undefined ? `  ${text}` : `  ${file}:${line ?? 1}  ${text}`;

/** A pair of which there is nothing to tell takes one line; eight commits are 28 pairs. */
const hasMore = ({clean, conflicts}: PairReport): boolean => !clean || conflicts.length > 0;

/** A pair with what was found; what several paths of one conflict say stands there once. */
const pairText = (pair: PairReport): string =>
	[
		`${pair.a} + ${pair.b}: ${verdictOf(pair)}${pair.verify === undefined ? '' : verifyTexts[pair.verify]}`,
		...new Set(pair.conflicts.map(finding => findingText(finding, {a: pair.a, b: pair.b}))),
	].join('\n');

const verifyTexts: Readonly<Record<NonNullable<PairReport['verify']>, string>> = {
	passes: '; verify passes',
	fails: '; verify fails',
	'fails alone': '; verify fails, and without the merge, too',
};

/** Returns a finding with the lines of both sides. */
const findingText = (finding: Finding, names: Readonly<Record<'a' | 'b', string>>): string => {
	const {type, rule, blocking, confidence, summary, evidence, confirmed} = finding;
	const weight = blocking ? 'blocks' : `note, ${confidence} confidence`;
	const width = Math.max(names.a.length, names.b.length);
	return [
		`  ${type} ${rule} (${weight}): ${summary}`,
		...(confirmed === undefined ? [] : [`    ${confirmed.by}: ${confirmed.text}`]),
		...evidence.map(one => `    ${names[one.side].padEnd(width)}  ${evidenceText(one)}`),
	].join('\n');
};

const evidenceText = ({path, line, text, removed}: Evidence): string =>
	[
		line === undefined ? path : `${path}:${line}`,
		...(removed ? ['(removed)'] : []),
		...(text === undefined ? [] : [text.trim()]),
	].join('  ');
