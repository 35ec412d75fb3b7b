import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {findContainment} from '../../../src/lib/process/containment.ts';
import {sandboxed} from '../../../src/supervisor/machine/sandbox.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

const containment = await findContainment();

test
	.skipIf('missing' in containment.fileSandbox)
	.each([[[]], [['~/.local']], [['~/.local/state']]])(
	'an agent sees what it starts with, and no other work, while it may read %j',
	async read => {
		const home = temporaryFolder();
		const state = join(home, '.local/state/delegate-tui');
		const agent = join(state, 'repository/DEL-1/AGT-001');
		const [tree, launch, lender, other] = [
			join(agent, 'tree'),
			join(agent, 'launch'),
			join(state, 'repository/store.git/objects'),
			join(state, 'repository/DEL-1/AGT-002'),
		];
		for (const folder of [tree, launch, lender, other, join(home, '.local/share')]) {
			mkdirSync(folder, {recursive: true});
			writeFileSync(join(folder, 'file'), `${folder}\n`);
		}

		vi.stubEnv('DELEGATE_TUI_STATE', state);
		onTestFinished(() => {
			vi.unstubAllEnvs();
		});
		const {prefix} = await sandboxed(containment, undefined, {
			...{tree, lenders: [lender], caches: join(state, 'repository/caches'), commands: []},
			environment: {HOME: home, PATH: process.env.PATH},
			allow: {read},
			more: [{path: launch, as: 'seen'}],
		});
		const [bwrap = '', ...words] = prefix;
		const seen = (folder: string): boolean => {
			const script = `cat ${join(folder, 'file')} 2>/dev/null || true`;
			const told = execFileSync(bwrap, [...words, 'sh', '-c', script], {cwd: tree});
			return `${told}`.trim() === folder;
		};
		expect([tree, launch, lender].map(seen)).toEqual([true, true, true]);
		expect(seen(other)).toBe(false);
		expect(seen(join(home, '.local/share'))).toBe(read.includes('~/.local'));
	},
);
