import {expect, test} from 'vitest';
import {type PushOffer, pushText} from '../../src/rules/push-offer.ts';
import {expectToFit} from './a-frame.ts';
import {knownOf, large, openScreen, recorded, small} from './a-screen.ts';
import {offer} from './views.ts';

const opened = async (size = small) => openScreen(knownOf(await recorded('check-fails')), {size});

test.each([small, {columns: 120, rows: 40}, large])(
	'P asks in the words of the command whether to push, on %j',
	async size => {
		const screen = await opened(size);
		expect(screen.frame()).toContain('P publish');
		screen.press('P');
		expect(screen.asked()).toEqual([{do: 'offer-push'}]);
		screen.take({kind: 'push-offered', offer});
		expectToFit(screen.frame(), size);
		for (const line of [...pushText(offer), 'Push it?']) {
			expect(screen.frame()).toContain(line.trim());
		}

		screen.press('n');
		expect(screen.asked()).toHaveLength(1);
		screen.take({kind: 'push-offered', offer});
		screen.press('y');
		expect(screen.asked().slice(1)).toEqual([{do: 'push', offer}]);
	},
);

test('r asks for a pull request instead, whose command is read before it is meant', async () => {
	const screen = await opened();
	screen.press('P');
	screen.take({kind: 'push-offered', offer});
	expect(screen.frame()).toContain('r open a pull request');
	screen.press('r');
	expect(screen.asked().slice(1)).toEqual([{do: 'offer-push', request: true}]);
	const command = 'gh pr create --base main --head rate-limit';
	const whole: PushOffer = {
		...{
			...offer,
			canRequest: false,
			branch: 'rate-limit',
			request: {program: 'gh', command, body: '/state/pull-request.md'},
		},
		commands: ['git push origin main:rate-limit', command],
	};
	screen.take({kind: 'push-offered', offer: whole});
	expect(screen.frame()).toContain(command);
	expect(screen.frame()).not.toContain('r open a pull request');
	screen.press('r', 'y');
	expect(screen.asked().slice(2)).toEqual([{do: 'push', offer: whole}]);
});

test('who does something else by then is told, and asked nothing', async () => {
	const screen = await opened();
	screen.press('P', '?');
	screen.take({kind: 'push-offered', offer});
	expect(screen.notice()).toMatch(
		/Push it\? Nothing is done yet; on the board you are asked again\.$/,
	);
	screen.press('y');
	expect(screen.asked()).toHaveLength(1);
});

test('there is nothing to publish where the merge was taken back', async () => {
	const known = knownOf(await recorded('check-fails'));
	const screen = openScreen(known);
	const commit = known.state.publications[0]?.built.commit ?? '';
	screen.happens({kind: 'merge.undone', commit, from: commit, to: 'base'});
	expect(screen.frame()).not.toContain('P publish');
	screen.press('P');
	expect(screen.asked()).toEqual([]);
});
