import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {execa} from 'execa';
import {compare} from '../../../src/conflicts/compare.ts';
import {
	type CommitsOf,
	type ConflictCase,
	layConflictCases,
	readConflictCases,
} from '../../../test/helpers/conflict-cases.ts';
import {printColumns} from '../columns.ts';

/** Numbers of correct, surplus and missing findings. */
type Tally = {readonly hits: number; readonly extra: number; readonly missed: number};

const none: Tally = {hits: 0, extra: 0, missed: 0};

/** Prints precision and recall on the cases of `fixtures/repos`, by type of conflict and by language. */
export const benchCases = async (): Promise<void> => {
	const folder = await mkdtemp(join(tmpdir(), 'bench-conflicts-'));
	try {
		const gitDir = join(folder, 'cases.git');
		await execa('git', ['init', '--quiet', '--bare', gitDir]);
		const cases = readConflictCases();
		const commits = layConflictCases(gitDir, cases);
		const rows = new Map<string, Tally>();
		for (const one of cases) {
			for (const [row, tally] of await tallyOf(gitDir, one, commits(one))) {
				rows.set(row, sum(rows.get(row) ?? none, tally));
			}
		}

		console.log(`${cases.length} cases`);
		printColumns(
			['', 'found', 'too much', 'missed', 'precision', 'recall'],
			[...rows].toSorted().map(([row, tally]) => [row, ...figures(tally)]),
		);
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
};

const tallyOf = async (
	gitDir: string,
	one: ConflictCase,
	{a, b}: ReturnType<CommitsOf>,
): Promise<readonly (readonly [string, Tally])[]> => {
	const {signal} = new AbortController();
	const {findings} = await compare({gitDir}, {a, b}, {signal});
	// A file beside a folder has its side in its name, which is another commit each time.
	const found = findings.map(
		({rule, path}) => `${rule} ${path.replace(`~${a}`, '~a').replace(`~${b}`, '~b')}`,
	);
	const wanted = one.finds.map(({rule, path}) => `${rule} ${path}`);
	const judged = [
		...found.map(
			text => [text, wanted.includes(text) ? {...none, hits: 1} : {...none, extra: 1}] as const,
		),
		...wanted
			.filter(text => !found.includes(text))
			.map(text => [text, {...none, missed: 1}] as const),
	];
	return judged.flatMap(([text, tally]) => [
		[`type ${typeOf(text)}`, tally] as const,
		[`language ${languageOf(one)}`, tally] as const,
	]);
};

/** Returns the language of a case; cases of names and tests are in a file for each language. */
const languageOf = ({language, name}: ConflictCase): string =>
	language ?? /^(?!file\/)[^/]+\/([^/]+)/.exec(name)?.[1] ?? 'any';

const typeOf = (text: string): string =>
	({F: 'FILE', I: 'IMPORT', A: 'API', T: 'TEST'})[text.charAt(0)] ?? '?';

const sum = (one: Tally, other: Tally): Tally => ({
	hits: one.hits + other.hits,
	extra: one.extra + other.extra,
	missed: one.missed + other.missed,
});

const figures = ({hits, extra, missed}: Tally): readonly string[] => [
	String(hits),
	String(extra),
	String(missed),
	share(hits, hits + extra),
	share(hits, hits + missed),
];

const share = (part: number, whole: number): string =>
	whole === 0 ? '–' : (part / whole).toFixed(2);
