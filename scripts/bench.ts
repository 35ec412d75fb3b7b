/*
Measures the costs of a start, a command and an open screen, and stores them in `docs/bench`: `npm run bench`. Or one benchmark: `npm run bench -- screen [ROUNDS]`, `idle [SECONDS]`, `flood [MINUTES]`, `silent [SECONDS]`, `growth`, `signals [--full]`, `snapshot [ROUNDS]`, `places [ROUNDS]`, `sandbox [ROUNDS]`, `keys [ROUNDS]`, `large [FILES…]` or `conflicts`, which by itself tries the cases of
`fixtures/repos`: `conflicts FOLDER [MERGES [KEPT.ndjson]]` replays clones, with `--mended` only merges that people repaired, `conflicts --pairs FOLDER CLONES` tries a public set of
patches, `conflicts --speed [ROUNDS]` measures the time.
*/

import {benchConflicts} from './bench/conflicts/conflicts.ts';

/** Benchmarks by name; each takes the arguments after its name, and returns nothing if these are invalid. */
const benches: Readonly<Record<string, (words: readonly string[]) => Promise<void> | undefined>> = {
	light: ([rounds = '20', seconds = '60', ...others]) =>
		[rounds, seconds].every(word => /^[1-9]\d*$/.test(word)) && others.length === 0
			? import('./bench/light.ts').then(({benchLight}) =>
					benchLight(Number(rounds), Number(seconds)),
				)
			: undefined,
	screen: ([rounds = '10', ...others]) =>
		/^[1-9]\d*$/.test(rounds) && others.length === 0
			? import('./bench/screen.ts').then(({benchScreen}) => benchScreen(Number(rounds)))
			: undefined,
	idle: ([seconds = '60', ...others]) =>
		/^[1-9]\d*$/.test(seconds) && others.length === 0
			? import('./bench/idle.ts').then(({benchIdle}) => benchIdle(Number(seconds)))
			: undefined,
	flood: ([minutes = '10', ...others]) =>
		/^[1-9]\d*$/.test(minutes) && others.length === 0
			? import('./bench/flood.ts').then(({benchFlood}) => benchFlood(Number(minutes)))
			: undefined,
	silent: ([seconds = '60', ...others]) =>
		/^[1-9]\d*$/.test(seconds) && others.length === 0
			? import('./bench/silent.ts').then(({benchSilent}) => benchSilent(Number(seconds)))
			: undefined,
	growth: others =>
		others.length === 0
			? import('./bench/growth-table.ts').then(({benchGrowth}) => benchGrowth())
			: undefined,
	signals: ([size, ...others]) =>
		(size === undefined || size === '--full') && others.length === 0
			? import('./bench/signals.ts').then(({benchSignals}) => benchSignals(size === '--full'))
			: undefined,
	snapshot: ([rounds = '10', ...others]) =>
		/^[1-9]\d*$/.test(rounds) && others.length === 0
			? import('./bench/snapshot.ts').then(({benchSnapshot}) => benchSnapshot(Number(rounds)))
			: undefined,
	places: ([rounds = '40', ...others]) =>
		/^[1-9]\d*$/.test(rounds) && others.length === 0
			? import('./bench/places.ts').then(({benchPlaces}) => benchPlaces(Number(rounds)))
			: undefined,
	sandbox: ([rounds = '40', ...others]) =>
		/^[1-9]\d*$/.test(rounds) && others.length === 0
			? import('./bench/sandbox.ts').then(({benchSandbox}) => benchSandbox(Number(rounds)))
			: undefined,
	keys: ([rounds = '10', ...others]) =>
		/^[1-9]\d*$/.test(rounds) && others.length === 0
			? import('./bench/sandbox.ts').then(({benchKeys}) => benchKeys(Number(rounds)))
			: undefined,
	large: sizes =>
		sizes.every(size => /^[1-9]\d*000$/.test(size))
			? import('./bench/large.ts').then(({benchLarge}) =>
					benchLarge(sizes.length === 0 ? [1000, 10_000, 100_000] : sizes.map(Number)),
				)
			: undefined,
	conflicts: benchConflicts,
};

const [name = 'light', ...words] = process.argv.slice(2);
const done = benches[name]?.(words);
if (done === undefined) {
	console.error(
		'Usage: npm run bench -- light [ROUNDS [SECONDS]] | screen [ROUNDS] | idle [SECONDS] | flood [MINUTES] | silent [SECONDS] | growth | signals [--full] | snapshot [ROUNDS] | places [ROUNDS] | sandbox [ROUNDS] | keys [ROUNDS] | large [FILES…] | conflicts [FOLDER [MERGES [KEPT.ndjson]] | --mended FOLDER [MERGES [KEPT.ndjson]] | --pairs FOLDER CLONES | --speed [ROUNDS]]',
	);
	process.exitCode = 2;
} else {
	await done;
}
