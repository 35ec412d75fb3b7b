import {describe, expect, test} from 'vitest';
import {expectToFit} from './a-frame.ts';
import {having, openAt, openScreen, resourcesOf, small, whenFirst} from './a-screen.ts';

/** Tries to clear the screen, to name the window, to write into the clipboard, to turn text around. */
const attack =
	'\u001b[2J\u001b]0;owned\u0007\u001b]52;c;b3duZWQ=\u0007\u009b31m\u202eevil\u0000\r\nnext';

/** Everything of a text that is no character to look at, besides the ends of rows. */
const steering = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/;

const hostileDiff = `diff --git a/src/${'x'.repeat(300)} b/src/${'x'.repeat(300)}
index 1..2 100644
--- a/src/f
+++ b/src/f
@@ -1 +1 @@
-${attack.replaceAll('\n', ' ')}
+${attack.replaceAll('\n', ' ')} more
`;

const expectHarmless = (frame: string): void => {
	expect(frame).not.toMatch(steering);
	expectToFit(frame, small);
};

describe('text of an agent that tries to steer the terminal', () => {
	test('is only shown, wherever it appears', async () => {
		const known = await whenFirst('questions-and-checkpoints', 'question');
		const agents = known.state.agents.map(agent => ({
			...agent,
			why: attack,
			updates: {
				...agent.updates,
				phase: attack,
				status: attack,
				summary: {kind: 'summary', line: 1, value: attack} as const,
			},
			subtask: {...agent.subtask, subtask: attack, goal: attack},
			left: [{path: attack, refused: false}],
		}));
		const state = {...known.state, agents};
		const tails = Object.fromEntries(agents.map(({id}) => [id, [attack, '日本語'.repeat(100)]]));
		const screen = openScreen({...known, state, tails});
		for (const keys of [[], ['o'], ['d'], ['esc', 'l'], ['esc', 'i'], ['?']]) {
			screen.press(...keys);
			expectHarmless(screen.frame());
		}
	});

	test('is only shown in an item that is decided on, and in its diff', async () => {
		const known = await whenFirst('questions-and-checkpoints', 'review');
		const [review] = known.state.items.filter(item => item.kind === 'review');
		const agents = known.state.agents.map(agent => ({
			...agent,
			report: {
				kind: 'completion_report',
				line: 1,
				status: 'success',
				deliverables: [attack],
				metrics_achieved: {[attack]: attack},
				recommendations: [attack],
			} as const,
		}));
		const screen = openAt(review?.kind ?? 'review', {...known, state: {...known.state, agents}});
		screen.learn({resources: resourcesOf(screen.context(), hostileDiff)});
		for (let page = 0; page < 5; page++) {
			expectHarmless(screen.frame());
			screen.press('pageDown');
		}
	});

	test('is only shown in a question and its options, and in what is refused', async () => {
		const known = await whenFirst('questions-and-checkpoints', 'question');
		const state = having(known.state, {
			kind: 'signal.said',
			agent: 'AGT-001',
			turn: 1,
			offset: 0,
			signal: {
				kind: 'clarification_needed',
				line: 1,
				all_required: true,
				questions: [
					{
						question: attack,
						options: [attack, 'b'],
						required: true,
						context: attack,
						pattern: attack,
					},
				],
			},
		});
		const screen = openScreen({...known, state});
		screen.press('i', 'down', 'down', 'down', 'enter', '1');
		expectHarmless(screen.frame());
		screen.take({kind: 'refused', text: attack});
		expectHarmless(screen.frame());
		screen.take({kind: 'paste', text: attack});
		expectHarmless(screen.frame());
	});
});
