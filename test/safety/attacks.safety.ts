import {expect, test} from 'vitest';
import {inbox, isOfKind} from '../../src/rules/inbox.ts';
import {agent} from '../helpers/plan-file.ts';
import {makeProject} from '../helpers/project.ts';
import {type Session, startSession} from '../helpers/session.ts';

/** Lets one of the attacks have its way until a person is asked for the merge. */
const attacked = async (attack: string): Promise<Session> => {
	const project = makeProject({'.gitignore': '*.log\n', 'readme.md': 'hello\n'});
	const session = await startSession(
		{agents: [agent(`attacks/${attack}.sh`, [project.root])]},
		project,
	);
	await session.accept('AGT-001');
	return session;
};

test.each([
	['hides-by-rule', /left out because its own ignore rule hides it: src\/secret\.js/],
	['adds-by-force', /left out because your ignore rules match it.*: src\/made\.log/],
	['commits-on-target', /^main has moved .* by 1 commit .* Evil: Nothing to see here/],
	['redirects-fetch', /\bconfig\b/],
] as const)('what %s does is named at the approval, in JSON and in text', async (attack, told) => {
	await using session = await attacked(attack);
	const {notes} = await session.until('an approval that tells of it', ({state}) => {
		const item = inbox(state).find(isOfKind('approval'));
		return item?.notes === undefined ? undefined : item;
	});
	expect(notes).toContainEqual(expect.stringMatching(told));
	expect((await session.project.run('inbox')).stdout).toContain('worth a look');
});
