/*
Tries to lose work: `npm run test:safety [-- --deep] [--seed N] [--part N] [--docs]`.

Without `--deep` it runs the part for every change: most tests then take turns, by the number of commits, or by the given part. `--docs` writes the figures of the run into docs/promises.md. A failing seed is stored in test/safety/seeds.ndjson, and tried again in each run from then on.
*/
import {globSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {execa} from 'execa';
import {type Figure, safetyTable, withSafetyFigures} from './safety/table.ts';
import {isFileInTurn} from './safety/turns.ts';

const {values} = parseArgs({
	options: {
		deep: {type: 'boolean', default: false},
		seed: {type: 'string', default: '1'},
		part: {type: 'string'},
		docs: {type: 'boolean', default: false},
	},
});

/** Returns the number of the commit or, if older ones can't be counted, as in a shallow clone, one derived from its id; 0 without a commit. */
const turnOfCommit = async (): Promise<number> => {
	const ask = async (...words: readonly string[]): Promise<string> => {
		const {exitCode, stdout} = await execa('git', words, {reject: false});
		return exitCode === 0 ? stdout : '';
	};

	const isShallow = (await ask('rev-parse', '--is-shallow-repository')) === 'true';
	const count = Number(await ask('rev-list', '--count', 'HEAD'));
	const id = await ask('rev-parse', 'HEAD');
	return isShallow || count === 1 ? Number.parseInt(id.slice(0, 8), 16) : count;
};

const turn = values.part === undefined ? await turnOfCommit() : Number(values.part);
const all = globSync('test/**/*.safety.ts');
const files = values.deep ? [] : all.filter(file => isFileInTurn(file, turn));
console.log(values.deep ? 'Everything.' : `Part ${turn}.`);
const folder = await mkdtemp(join(tmpdir(), 'delegate-tui-safety-'));
const file = join(folder, 'figures.ndjson');
try {
	await writeFile(file, '');
	const {exitCode = 1} = await execa('vitest', ['run', '--project', 'safety', ...files], {
		preferLocal: true,
		stdio: 'inherit',
		reject: false,
		env: {
			SAFETY_DEEP: values.deep ? '1' : '0',
			SAFETY_TURN: `${turn}`,
			SAFETY_SEED: values.seed,
			SAFETY_FIGURES: file,
		},
	});
	process.exitCode = exitCode;
	const lines = (await readFile(file, 'utf8')).split('\n').filter(line => line !== '');
	const figures = lines.map((line): Figure => JSON.parse(line));
	console.log(safetyTable(figures));
	if (values.docs && exitCode === 0) {
		const about = {
			deep: values.deep,
			seed: values.seed,
			day: new Date().toISOString().slice(0, 10),
		};
		const file = 'docs/promises.md';
		await writeFile(file, withSafetyFigures(await readFile(file, 'utf8'), figures, about));
	}
} finally {
	await rm(folder, {recursive: true, force: true});
}
