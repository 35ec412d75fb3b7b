import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {codex} from '../../../src/agents/profiles/codex.ts';
import {findContainment} from '../../../src/lib/process/containment.ts';
import {sandboxed} from '../../../src/supervisor/machine/sandbox.ts';
import {filesBelow, removeAll} from '../../helpers/repository.ts';

const containment = await findContainment();

test.skipIf('missing' in containment.fileSandbox)(
	'a home and a checkout below /tmp, where Codex writes unasked, are out of its reach in the sandbox',
	async () => {
		const home = mkdtempSync('/tmp/delegate-home-');
		onTestFinished(() => removeAll(home));
		const checkout = join(home, 'checkout');
		const tree = join(home, 'state/tree');
		for (const folder of [checkout, tree]) {
			mkdirSync(folder, {recursive: true});
		}

		const environment = {HOME: home, PATH: process.env.PATH};
		const {prefix} = await sandboxed(containment, undefined, {
			...{tree, lenders: [], caches: join(home, 'state/caches'), commands: [], more: []},
			...{environment, profile: codex},
		});
		const [bwrap = '', ...words] = prefix;
		const script = `for folder in ${home} ${checkout} ${tree}; do (mkdir -p $folder; echo lost > $folder/canary); done; true`;
		execFileSync(bwrap, [...words, 'sh', '-c', script], {cwd: tree, env: environment});
		const canaries = Object.keys(filesBelow(home)).filter(path => path.endsWith('canary'));
		expect(canaries).toContain('state/tree/canary');
		expect(canaries.filter(path => !path.startsWith('state/'))).toEqual([]);
	},
);
