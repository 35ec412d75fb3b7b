/*
Lets agents try to reach forbidden areas: `npm run test:reach [-- --part] [--docs]`.

`--part` runs the part for every change: only as the current user, and not as another one as well. `--docs` writes the results into docs/promises.md.
*/
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {execa} from 'execa';
import {withPart} from './document-part.ts';

/** Result of one probe, or the reason why a run was skipped. */
type Result = {readonly user: string; readonly sandbox: 'required' | 'off'} & (
	| {readonly area: string; readonly outcome: 'prevented' | 'detected' | 'missed'}
	| {readonly skipped: string}
);

type Outcome = Extract<Result, {readonly area: string}>;

const {values} = parseArgs({
	options: {
		part: {type: 'boolean', default: false},
		docs: {type: 'boolean', default: false},
	},
});

const nameOf = ({user, sandbox}: Result): string =>
	`${sandbox === 'off' ? 'not protected' : 'protected'}, as ${user}`;

const outcomes = ['prevented', 'detected', 'missed'] as const;

/** Returns the results of all probes as a Markdown table, a row for each area. */
const tableOf = (results: readonly Result[]): string => {
	const tried = results.filter((result): result is Outcome => 'area' in result);
	const runs = [...new Set(tried.map(nameOf))];
	const rows = [...Map.groupBy(tried, ({area}) => area)].map(([area, found]) => {
		const byRun = runs.map(run => found.filter(result => nameOf(result) === run));
		const cells = byRun.map(results =>
			outcomes
				.map(outcome => results.filter(result => result.outcome === outcome).length)
				.join(' / '),
		);
		return [area, Math.max(...byRun.map(({length}) => length)), ...cells];
	});
	const skipped = results.flatMap(result =>
		'skipped' in result ? [`Skipped: files ${nameOf(result)}, since ${result.skipped}.`] : [],
	);
	return [
		['what is tried', 'probes', ...runs.map(run => `files ${run}`)],
		['---', '---:', ...runs.map(() => '---:')],
		...rows,
	]
		.map(cells => `| ${cells.join(' | ')} |`)
		.concat(skipped.length === 0 ? [] : ['', ...skipped])
		.join('\n');
};

const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-reach-'));
const file = join(folder, 'results.ndjson');
try {
	await writeFile(file, '');
	const {exitCode = 1} = await execa('vitest', ['run', '--project', 'reach'], {
		preferLocal: true,
		stdio: 'inherit',
		reject: false,
		env: {REACH_RESULTS: file, REACH_PART: values.part ? '1' : '0'},
	});
	process.exitCode = exitCode;
	const lines = (await readFile(file, 'utf8')).split('\n').filter(line => line !== '');
	const results = lines.map((line): Result => JSON.parse(line));
	console.log(tableOf(results));
	if (values.docs && exitCode === 0) {
		const path = 'docs/promises.md';
		const day = new Date().toISOString().slice(0, 10);
		const text = `In each cell: prevented / detected / missed, ${day}.\n\n${tableOf(results)}`;
		const place = {file: path, name: 'reach'};
		await writeFile(path, withPart(await readFile(path, 'utf8'), place, text));
	}
} finally {
	await rm(folder, {recursive: true, force: true});
}
