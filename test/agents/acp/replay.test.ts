import type {SessionUpdate} from '@agentclientprotocol/sdk';
import {describe, expect, it} from 'vitest';
import type {Listener} from '../../../src/agents/acp/connection.ts';
import {hearReplay} from '../../../src/agents/acp/replay.ts';
import {byHand, open} from './converse.ts';

const words: SessionUpdate = {
	sessionUpdate: 'agent_message_chunk',
	content: {type: 'text', text: 'old'},
};

/** Hears a replay; what comes and when time passes is up to the test. */
const begin = (abort = new AbortController()) => {
	const heard: {listener?: Listener | undefined} = {};
	const waiting: (() => void)[] = [];
	const tellWaiting: (() => void)[] = [];
	const replay = hearReplay(
		{
			listen: listener => {
				heard.listener = listener;
			},
		},
		{},
		(_, signal) =>
			new Promise((resolve, reject) => {
				signal.addEventListener('abort', reject);
				waiting.push(resolve);
				tellWaiting.shift()?.();
			}),
	);
	return {
		heard,
		replay,
		over: () => replay.over(abort.signal),
		say: (update: SessionUpdate) => heard.listener?.update(update),
		/** Settles when a wait has begun. */
		waits: async () => {
			if (waiting.length === 0) {
				await new Promise<void>(resolve => tellWaiting.push(resolve));
			}
		},
		/** Lets the time of the wait pass. */
		pass: () => waiting.shift()?.(),
	};
};

describe('a replay', () => {
	it('is over with the list of commands', async () => {
		const {over, say, heard} = begin();
		const done = over();
		say(words);
		say({sessionUpdate: 'available_commands_update', availableCommands: []});
		await done;
		expect(heard.listener).toBeUndefined();
	});

	it('is over at once where that list came before the answer', async () => {
		const {over, say} = begin();
		say({sessionUpdate: 'available_commands_update', availableCommands: []});
		await over();
	});

	it('is over when nothing came for a while, and not before', async () => {
		const {over, say, waits, pass, heard} = begin();
		let isOver = false;
		const done = over().then(() => {
			isOver = true;
		});
		for (const _ of ['the first wait', 'the second']) {
			await waits();
			say(words);
			pass();
		}

		await waits();
		expect(isOver).toBe(false);
		pass();
		await done;
		expect(heard.listener).toBeUndefined();
	});

	it('ends with whoever no longer wants it', async () => {
		const abort = new AbortController();
		const {over, heard} = begin(abort);
		const done = over();
		abort.abort();
		await expect(done).rejects.toBeDefined();
		expect(heard.listener).toBeUndefined();
	});
});

describe('a conversation that is taken up', () => {
	it.each([
		['It was told last what to do', false],
		['It was  told last\nwhat `to do`', false],
		['another time', true],
		['', false],
	])('is known to lack its last turn: %o %s', async (person, hasGap) => {
		const unmet: string[] = [];
		const {conversation} = await open(byHand('plays-back', '/there', person), {
			earlier: 's-0',
			toldLast: 'It was told last\nwhat to do',
			onUnmet: what => unmet.push(what),
		});
		expect(conversation.hasGap).toBe(hasGap);
		expect(unmet).toHaveLength(hasGap ? 1 : 0);
		await conversation.prompt('Go on');
		expect(conversation.hasGap).toBe(false);
	});
});
