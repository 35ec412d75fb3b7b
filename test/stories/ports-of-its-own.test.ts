import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openSlots} from '../../src/supervisor/machine/slots.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject, projectAt} from '../helpers/project.ts';
import {makeRepository, temporaryFolder, write} from '../helpers/repository.ts';
import {startSession} from '../helpers/session.ts';
import {serverFiles} from './a-server.ts';

test('agents and checks of two repositories at once start the same server, each on ports of its own', async () => {
	const aside = temporaryFolder();
	const log = join(aside, 'places');
	writeFileSync(log, '');
	const node = process.execPath;
	const begin = async () => {
		const root = makeRepository({
			'readme.md': 'hello\n',
			...serverFiles,
			'.delegate-tui.yaml': 'docs: false\n',
		});
		return startSession(
			{
				env: {PORT: `\${DELEGATE_PORT}`},
				agents: ['src/one.txt', 'src/two.txt'].map(path => agent('serves.sh', [node, path, log])),
				verify: [
					`${node} serve.mjs readme.md & ${node} ask.mjs hello`,
					`echo "$DELEGATE_SLOT $PORT $TMPDIR $COMPOSE_PROJECT_NAME" >> ${log}`,
				],
			},
			projectAt(root, {aside}),
		);
	};
	await using one = await begin();
	await using two = await begin();
	await Promise.all([one, two].map(session => session.accept('AGT-001', 'AGT-002')));
	await Promise.all([one, two].map(session => session.approve()));
	for (const session of [one, two]) {
		expect(session.events('verify.ended')).toMatchObject([{ok: true}]);
	}

	await Promise.all([one, two].map(session => session.gone()));
	const places = readFileSync(log, 'utf8')
		.trimEnd()
		.split('\n')
		.map(line => line.split(' '));
	expect(places.length).toBe(6);
	const names = places.map(([, , , name = '']) => name);
	expect(new Set(names).size).toBe(6);
	expect(names.filter(name => /-agt-00[12]-[\da-f]{6}$/.test(name)).length).toBe(4);
	for (const part of [0, 1, 2]) {
		expect(new Set(places.slice(0, 4).map(place => place[part])).size).toBe(4);
	}

	expect(places.map(([, , folder = '']) => existsSync(folder))).toEqual(places.map(() => false));
});

test('an agent keeps its number, ports and temporary folder although its supervisor was killed', async () => {
	const project = makeProject({'readme.md': 'hello\n', '.gitignore': '.env\n'});
	write(project.root, {'.env': '# mine\nPORT=3000\nexport HOST = here\n'});
	await using session = await startSession(
		{
			copy: [{from: '.env', set: {PORT: `\${DELEGATE_PORT}`, DATABASE: `shop_\${DELEGATE_SLOT}`}}],
			agents: [agent('asks-once.sh', ['src/auth.txt'])],
		},
		project,
	);
	const question = await session.item('question', 'AGT-001');
	const {tree} = session.folder.agent('AGT-001');
	const place = await openSlots(project.state).variablesOf(tree);
	expect(readFileSync(join(tree, '.env'), 'utf8')).toBe(
		`# mine\nPORT=${place.DELEGATE_PORT}\nexport HOST = here\nDATABASE=shop_${place.DELEGATE_SLOT}\n`,
	);
	await session.killSupervisor();
	await session.answer(question, 'oauth');
	await session.accept('AGT-001');
	expect(await openSlots(project.state).variablesOf(tree)).toEqual(place);
	await session.approve();
	await session.gone();
	expect(existsSync(place.TMPDIR)).toBe(false);
});
