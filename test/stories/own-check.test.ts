import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';

/** Red where both works are. */
const check =
	'test -e src/one.txt && test -e src/two.txt && { echo "src/two.txt:1: one takes no two"; exit 1; }; true';

test('what the plan’s own check says of two works together is told while they are looked at, and asked before there is a result', async () => {
	await using session = await startSession({
		agents: [agent('edits.sh', ['src/one.txt', 'one']), agent('edits.sh', ['src/two.txt', 'two'])],
		check: [check],
		verify: ['echo one is there; test ! -e src/two.txt'],
	});
	const told = await session.until('the radar', () =>
		session.events('work.compared').find(({findings}) => findings.length > 0),
	);
	const confirmed = {by: `the command \`${check}\``, text: 'one takes no two'};
	expect(told).toMatchObject({a: 'AGT-001', b: 'AGT-002', findings: [{confirmed}]});
	await session.accept('AGT-001', 'AGT-002');
	const conflict = await session.item('conflict');
	expect(conflict).toMatchObject({path: 'src/two.txt', a: ['AGT-001'], b: ['AGT-002'], confirmed});
	const preview = await session.project.run('answer', conflict.id, 'accept', '--preview');
	expect(preview.stdout).toContain('no type checker ran');
	const looked = await session.project.run(
		...['answer', conflict.id, 'choose-one:AGT-001', '--preview', '--verify'],
	);
	expect(looked.stdout).toContain('one is there');
	expect(looked.stdout).toContain('Checked: `echo one is there; test ! -e src/two.txt` passed.');
	await session.answer(conflict, 'choose-one:AGT-001');
	await session.item('approval');
	const [tried, verified] = [session.events('outcome.checked'), session.events('verify.ended')];
	expect(verified).toMatchObject([{ok: true, tree: tried[0]?.tree, log: tried[0]?.log}]);
	expect(session.events('merge.built')[0]?.looked).toMatchObject({outcome: 'compared'});
	await session.approve();
});

test('types that take more than they may are told as not checked at the approval, and are checked once a person has them', async () => {
	const exporting = (name: string) => [`src/${name}.ts`, `export const ${name}: number = 1;`];
	await using session = await startSession(
		{agents: [agent('edits.sh', exporting('one')), agent('edits.sh', exporting('two'))]},
		{'.delegate-tui.yaml': 'types: {files: 1}\n'},
	);
	await session.accept('AGT-001', 'AGT-002');
	const approval = await session.item('approval');
	expect((await session.project.run('inbox')).stdout).toContain(
		'could not say: 2 files would have to be read, more than the limit',
	);
	await session.answer(approval, 'types');
	await session.until('the next approval', ({state}) =>
		state.items.find(({kind, id}) => kind === 'approval' && id !== approval.id),
	);
	expect((await session.project.run('inbox')).stdout).toMatch(/and by TypeScript \S+ in/);
	const {choices} = await session.item('approval');
	expect(choices.map(({choice}) => choice)).not.toContain('types');
	await session.approve();
});
