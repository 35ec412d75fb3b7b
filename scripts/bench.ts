/*
Measures one thing: `npm run bench -- screen [ROUNDS]`.
*/

const benches: Readonly<Record<string, (rounds: number) => Promise<void>>> = {
	screen: async rounds => (await import('./bench/screen.ts')).benchScreen(rounds),
};

const [name = '', rounds = '10'] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined || !/^[1-9]\d*$/.test(rounds)) {
	console.error(`Usage: npm run bench -- ${Object.keys(benches).join('|')} [ROUNDS]`);
	process.exitCode = 2;
} else {
	await bench(Number(rounds));
}
