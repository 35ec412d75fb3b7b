import {expect, test} from 'vitest';
import {agent} from '../helpers/plan-file.ts';
import {startSession} from '../helpers/session.ts';
import {keys, openProgram} from '../helpers/terminal.ts';
import {tell, times} from './figures.ts';

const rounds = Array.from({length: times({part: 2, deep: 20})}, (_, round) => round);

test.each(rounds)(
	'of two screens that decide at once one is heard, and both see it: round %i',
	async () => {
		await using session = await startSession({agents: [agent('asks-once.sh', ['src/auth.txt'])]});
		await session.item('question');
		const screens = [openProgram(session.project), openProgram(session.project)];
		try {
			await Promise.all(
				screens.map(async screen => {
					await screen.until('⏎ q-1 AGT-001 Which auth method?');
					await screen.typeUntil(keys.enter, 'oauth');
					await screen.typeUntil(keys.down, '▸1  oauth');
				}),
			);
			for (const screen of screens) {
				screen.type(keys.enter);
			}

			await session.item('review');
			await Promise.all(
				screens.map(async screen => {
					await screen.until(/r-1|q-1 is gone/);
					// Who heard of the other's answer before their own key is told of it where the question was.
					if (screen.text().includes('q-1 is gone')) {
						await screen.typeUntil(keys.escape, 'r-1');
					}

					screen.type(`${keys.left}q`);
				}),
			);

			expect(await Promise.all(screens.map(screen => screen.exits()))).toEqual([0, 0]);
		} finally {
			for (const screen of screens) {
				screen[Symbol.dispose]();
			}
		}

		await session.accept('AGT-001');
		await session.approve();
		const decisions = session.events('user.decided').map(({item}) => item);
		expect(decisions.toSorted()).toEqual([...new Set(decisions)].toSorted());
		expect(decisions).toContain('q-1');
		tell('H', 'two screens that decide the same thing at once', 1);
	},
);
