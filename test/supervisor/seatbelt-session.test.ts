import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {findContainment} from '../../src/lib/process/containment.ts';
import {git} from '../helpers/repository.ts';
import {byBubblewrap, sandboxExec} from '../helpers/seatbelt.ts';
import {makeParts, planOfScript, runHere} from './running.ts';
import {success} from './undo/merged-session.ts';

const {fileSandbox} = await findContainment();

test.skipIf('missing' in fileSandbox)(
	'a session is as well protected, from agents and from what they wrote, by a program that is called as macOS’s is',
	async () => {
		const {parts, root} = await makeParts({'src/a.txt': 'a\n', 'checkout.txt': 'a\n'});
		vi.stubEnv('DELEGATE_TUI_STATE', dirname(parts.folder.path));
		const secret = join(dirname(parts.folder.path), 'secret');
		writeFileSync(secret, 'canary');
		const reach = (who: string): string =>
			`echo ${who} > ${root}/${who}.txt; echo ${who} > ${root}/checkout.txt; cat ${secret}; cat ${root}/checkout.txt`;
		const plan = planOfScript(
			`{ ${reach('agent')}; git add src && git commit -qm own && echo committed; } > src/a.txt 2>&1\n${success}`,
			{verify: [`{ ${reach('verify')}; } > told.txt 2>&1; cat told.txt; ! grep canary told.txt`]},
		);
		const program = sandboxExec(byBubblewrap);
		const containment = {...parts.containment, fileSandbox: {program, by: 'Seatbelt'} as const};
		const session = await runHere({...parts, containment}, plan);
		expect((await session.event('supervisor.started')).sandbox).toMatchObject({level: 'files'});
		await session.decide('review', 'merge');
		const {commit, ok} = await session.event('verify.ended');
		expect(ok).toBe(true);
		const said = git(parts.store.gitDir, 'show', `${commit}:src/a.txt`);
		expect(said).not.toContain('canary');
		expect(said).toMatch(/\ba\ncommitted$/);
		expect(['agent', 'verify'].filter(who => existsSync(join(root, `${who}.txt`)))).toEqual([]);
		expect(readFileSync(join(root, 'checkout.txt'), 'utf8')).toBe('a\n');
	},
);
