import {type Finding, keyOf} from '../finding.ts';
import {type ChangedLines, evidenceFor} from './evidence.ts';
import type {Diagnosis} from './oracle.ts';
import {isSyntaxError} from './typescript/syntax-error.ts';

/** What a checker said of a merge. */
export type Verdict = {
	/** Its name and version. */
	readonly by: string;
	/** What only the merged tree gets wrong. */
	readonly errors: readonly Diagnosis[];
	readonly covered: ReadonlySet<string>;
};

/**
Lets a checker confirm, clear or add to what was found by reading.

What it confirms blocks. A finding in files that it covers, of which it says nothing, becomes a note: a rule can be wrong about a language, its checker is not.

@param merged Returns a line of the merged tree, without the spaces around it.
*/
export const applyVerdict = (
	findings: readonly Finding[],
	{by, errors, covered}: Verdict,
	lines: MergedLines,
): readonly Finding[] => {
	const unclaimed = new Set(errors);
	const judged = findings.map((finding): Finding => {
		if (finding.type !== 'IMPORT_CONFLICT' && finding.type !== 'API_CONFLICT') {
			return finding;
		}

		const confirming = errors.filter(error => isTheSame(finding, error, lines));
		for (const error of confirming) {
			unclaimed.delete(error);
		}

		const [first] = confirming;
		if (first !== undefined) {
			const confirmed = {by, text: wordsOf(first)};
			return {...finding, blocking: true, confidence: 'high', confirmed};
		}

		return finding.blocking && finding.evidence.every(({path}) => covered.has(path))
			? {...finding, blocking: false, confidence: 'low'}
			: finding;
	});
	return [...judged, ...[...unclaimed].map(error => findingOf(error, by, lines))];
};

/** The lines that tell where an error comes from. */
export type MergedLines = {
	/** A line of the merged tree. */
	at(path: string, line: number): string;
	readonly a: ChangedLines;
	readonly b: ChangedLines;
};

/** An error and a finding are one where the finding shows the error's line, or names in that file what the error names. */
const isTheSame = (
	{path, key, evidence}: Finding,
	error: Diagnosis,
	{at}: MergedLines,
): boolean => {
	const text = at(error.path, error.line).trim();
	const named = [...error.text.matchAll(/'([^']+)'/g)].map(([, name]) => name);
	return (
		evidence.some(shown => shown.path === error.path && shown.text?.trim() === text) ||
		(path === error.path && key.split(' ').some(word => named.includes(word)))
	);
};

const wordsOf = ({code, text}: Diagnosis): string => (code === '' ? text : `${code}: ${text}`);

const findingOf = (error: Diagnosis, by: string, lines: MergedLines): Finding => {
	const {path, line, code, text} = error;
	const common = {
		path,
		blocking: true,
		confidence: 'high',
		summary: `Together they break ${path}: ${text}`,
		evidence: evidenceFor({path, line, text: `${text} ${lines.at(path, line)}`}, lines),
		confirmed: {by, text: wordsOf(error)},
	} as const;
	if (isSyntaxError(error)) {
		const key = keyOf('F3', path, code, text);
		return {...common, type: 'FILE_CONFLICT', kind: 'syntax', rule: 'F3', key};
	}

	const rule = missingFileCodes.has(code) ? 'I1' : missingNameCodes.has(code) ? 'I2' : undefined;
	return rule === undefined
		? {...common, type: 'API_CONFLICT', rule: 'A6', key: keyOf('A6', path, code, text)}
		: {...common, type: 'IMPORT_CONFLICT', rule, key: keyOf(rule, path, code, text)};
};

const missingFileCodes = new Set(['TS2307', 'reportMissingImports']);
const missingNameCodes = new Set(['TS2305', 'TS2613', 'TS2614', 'TS2724', 'TS1192']);
