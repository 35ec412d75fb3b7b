import {expect, test} from 'vitest';
import {stateSpan} from '../../../src/tui/formatting/agent-look.ts';
import {openScreen, whenFirst} from '../a-screen.ts';

test.each([
	['questions-and-checkpoints', 'question', '◆ ASKS'],
	['questions-and-checkpoints', 'checkpoint', '◆ CHECKPOINT'],
	['questions-and-checkpoints', 'review', '✓ WAITS FOR REVIEW'],
] as const)('in %s an agent with a %s is said to be "%s"', async (name, kind, words) => {
	const {state} = await whenFirst(name, kind);
	const item = state.items.find(one => one.kind === kind);
	const agent = state.agents.find(
		({id}) => item !== undefined && 'agent' in item && id === item.agent,
	);
	expect(agent && stateSpan(state, agent).text).toBe(words);
});

test('an agent that says it is at 100 % isn’t shown as done before it is', async () => {
	const {state, ...known} = await whenFirst('questions-and-checkpoints', 'question');
	const agents = state.agents.map(agent => ({...agent, progress: 100}));
	const frame = openScreen({...known, state: {...state, agents}}).frame();
	expect(frame).toContain('99 %');
	expect(frame).not.toContain('100 %');
});
