import {readFileSync} from 'node:fs';
import {expect} from 'vitest';
import type {DecisionOutcome} from '../../src/cli/answering/decide.ts';
import {connect} from '../../src/control/send.ts';
import {defined} from '../../src/lib/values.ts';
import type {InboxItem} from '../../src/rules/inbox.ts';
import {doubtsTold} from '../../src/state/item.ts';
import {itemOf} from '../../src/state/select.ts';
import type {Outcome as Ended, Project} from './project.ts';
import type {EventOf, Waits} from './waits.ts';

/** A person at another terminal. */
export type Person = {
	/** Runs `answer --json`, with any result. */
	readonly tryAnswer: (item: InboxItem, choice: string, note?: string) => Promise<Ended>;
	/** Runs `answer --json`, which must succeed, and waits until the decision is in the journal. */
	readonly answer: (item: InboxItem, choice: string, note?: string) => Promise<Decided>;
	/** Accepts the finished work of agents. */
	readonly accept: (...agents: readonly string[]) => Promise<void>;
	/** Approves the waiting result. */
	readonly approveResult: () => Promise<void>;
};

/** Output of `answer --json`. */
export type Decided = {
	readonly event: EventOf<'user.decided'>;
	readonly folder?: string;
	/** Subfolder of the files. */
	readonly files?: string;
	readonly outcome?: DecisionOutcome;
};

export type PersonParts = {
	readonly project: Project;
	/** File with the path of the supervisor's socket. */
	readonly socketFile: string;
	readonly waits: Waits;
};

/** Returns a person for a running session. */
export const personAt = ({project, socketFile, waits}: PersonParts): Person => {
	const tryAnswer: Person['tryAnswer'] = ({id}, choice, note) =>
		project.run('answer', id, choice, '--json', ...(note === undefined ? [] : ['--note', note]));

	/** Sends a common decision over the socket like a screen, which is faster than a command. */
	const decide = async ({id}: InboxItem, choice: string): Promise<void> => {
		const control = await connect(readFileSync(socketFile, 'utf8'));
		try {
			const despite = doubtsTold(itemOf(waits.state(), id));
			await control.request({do: 'decide', item: id, choice, by: 'user', ...defined({despite})});
		} finally {
			control.close();
		}

		await waits.until(`${id} decided`, ({state}) => itemOf(state, id) === undefined || undefined);
	};

	return {
		tryAnswer,
		answer: async (item, choice, note) => {
			const outcome = await tryAnswer(item, choice, note);
			const decided: Decided = JSON.parse(outcome.stdout);
			expect(decided).toMatchObject({ok: true});
			const {seq} = decided.event;
			await waits.until(`event ${seq}`, ({state}) => state.seq >= seq || undefined);
			return decided;
		},
		accept: async (...agents) => {
			for (const agent of agents) {
				await decide(await waits.item('review', agent), 'merge');
			}
		},
		approveResult: async () => decide(await waits.item('approval'), 'approve'),
	};
};
