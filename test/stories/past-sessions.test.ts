import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {script} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';

test('a session that has ended is played, and its report read, from the screen of the next one', async () => {
	const project = makeProject();
	const past = await startSession({agents: [agent('edits.sh', ['src/one.txt', 'one'])]}, project);
	await past.accept('AGT-001');
	await past.approve();
	await past.gone();

	const [pager, read] = ['pager', 'read'].map(name => join(project.aside, name)) as [
		string,
		string,
	];
	script(pager, `cat > '${read}'`);
	using screen = openProgram(project, ['run', '--again'], {environment: {PAGER: pager}});
	await screen.until('src/**');
	await screen.typeUntil(keys.escape, '^r run');
	await screen.typeUntil(':', 'Go to or do');
	await screen.typeUntil('replay', `▸ session      replay ${past.id}: Play a story (complete)`);
	await screen.typeUntil(keys.enter, '▶ recording');
	await screen.typeUntil('q', `Session ${past.id} was shown.`);
	expect(screen.text()).toContain('src/**');

	await screen.typeUntil(':report', `▸ session      report ${past.id}`);
	await screen.typeUntil(keys.enter, () => screen.text().includes('was shown.'));
	expect(readFileSync(read, 'utf8')).toContain('## Decisions');
	screen.type(keys.controlC);
});
