import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bundle, oldestNode} from '../../scripts/build.ts';
import {temporaryFolder, write} from '../helpers/repository.ts';

test('the bundle is in a language that the oldest Node.js can read which the launcher lets run it', async () => {
	const folder = temporaryFolder();
	write(folder, {
		'program.ts':
			'export const run = async (open: () => AsyncDisposable) => {\n\tawait using file = open();\n\treturn file;\n};\n',
	});
	const made = join(folder, 'made');
	await bundle({program: join(folder, 'program.ts')}, made);
	const text = readdirSync(made).map(name => readFileSync(join(made, name), 'utf8'));
	expect(text.join('')).toContain('async');
	expect(text.join('')).not.toMatch(/\busing \w+=/);
	const launcher = readFileSync('bin/delegate-tui.cjs', 'utf8');
	expect(`needs Node.js ${oldestNode} or newer`).toBe(
		/needs Node\.js \S+ or newer/.exec(launcher)?.[0],
	);
});
