import {printTable} from '../../src/lib/text/markdown-table.ts';
import {abilities, type Verdict} from './abilities.ts';
import type {Trial} from './try-agent.ts';

/** Returns the table ability × agent, as Markdown. */
export const tableOf = (trials: readonly Trial[]): string =>
	printTable([
		['', ...trials.map(({vendor}) => `\`${vendor}\``)],
		['program', ...trials.map(({program}) => `\`${program.package}\` ${program.version}`)],
		...abilities.map(({title}, index) => [title, ...trials.map(trial => cellAt(trial, index))]),
	]);

const cellAt = (trial: Trial, index: number): string => {
	if (trial.kind !== 'tried') {
		return trial.kind === 'skipped' ? 'skipped' : 'fail';
	}

	const verdict = trial.verdicts[index];
	return verdict === undefined ? '' : wordsFor(verdict);
};

const wordsFor = (verdict: Verdict): string =>
	verdict.kind === 'pass' && verdict.how !== undefined ? `pass (${verdict.how})` : verdict.kind;

/** Returns the reasons of failures, one per line. */
export const reasonsIn = (trials: readonly Trial[]): readonly string[] =>
	trials.flatMap(trial =>
		trial.kind !== 'tried'
			? [`\`${trial.vendor}\` ${trial.kind}: ${trial.why}`]
			: trial.verdicts.flatMap((verdict, index) =>
					verdict.kind === 'pass'
						? []
						: [`\`${trial.vendor}\` ${abilities[index]?.title}: ${verdict.kind}, ${verdict.why}`],
				),
	);

/** Returns whether nothing failed. */
export const isGood = (trials: readonly Trial[]): boolean =>
	trials.every(
		trial =>
			trial.kind === 'skipped' ||
			(trial.kind === 'tried' && trial.verdicts.every(({kind}) => kind !== 'fail')),
	);
