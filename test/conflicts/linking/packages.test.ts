import {expect, test} from 'vitest';
import {ecosystemOf} from '../../../src/conflicts/linking/packages.ts';

const wantedBy = (json: string) =>
	ecosystemOf('package.json')?.read('package.json', json.split('\n'));

test('a version that is no text counts as none, however deep it nests', () => {
	const nested = '['.repeat(20_000) + ']'.repeat(20_000);
	expect(wantedBy(`{"dependencies": {\n"a": ${nested},\n"b": "1"\n}}`)).toEqual([
		{name: 'a', version: '', line: 2},
		{name: 'b', version: '1', line: 3},
	]);
});

test('the first line that begins with the name of a package is its line, and the first one where none does', () => {
	const twice = '{"dependencies": {"z": "1",\n  "a": "1"\n}, "devDependencies": {\n  "a": "2"}}';
	expect(wantedBy(twice)?.map(({name, line}) => `${name} ${line}`)).toEqual(['z 1', 'a 2', 'a 2']);
});

test('sixty thousand packages take no more than twenty seconds of the processor', () => {
	const names = Array.from({length: 60_000}, (_, index) => [`a${index}`, '1']);
	const text = JSON.stringify({dependencies: Object.fromEntries(names)}, undefined, 1);
	const start = process.threadCpuUsage();
	expect(wantedBy(text)?.at(-1)).toEqual({name: 'a59999', version: '1', line: 60_002});
	const {user, system} = process.threadCpuUsage(start);
	expect(user + system).toBeLessThan(20_000_000);
});
