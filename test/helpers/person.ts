import {readFileSync} from 'node:fs';
import {expect} from 'vitest';
import type {DecisionOutcome} from '../../src/cli/answering/decide.ts';
import {connect} from '../../src/control/send.ts';
import type {InboxItem} from '../../src/rules/inbox.ts';
import {itemOf} from '../../src/state/select.ts';
import type {Outcome as Ended, Project} from './project.ts';
import type {EventOf, Waits} from './waits.ts';

/** The person at another terminal. */
export type Person = {
	/** Runs `answer --json`, whatever comes of it. */
	readonly tryAnswer: (item: InboxItem, choice: string, note?: string) => Promise<Ended>;
	/** Runs `answer --json`, whose decision must be taken, and waits until it was read in the journal. */
	readonly answer: (item: InboxItem, choice: string, note?: string) => Promise<Decided>;
	/** Accepts the finished work of agents. */
	readonly accept: (...agents: readonly string[]) => Promise<void>;
	/** Approves the result that waits for it. */
	readonly approveResult: () => Promise<void>;
};

/** What `answer --json` prints. */
export type Decided = {
	readonly event: EventOf<'user.decided'>;
	readonly folder?: string;
	/** Where in it the files lie. */
	readonly files?: string;
	readonly outcome?: DecisionOutcome;
};

export type PersonParts = {
	readonly project: Project;
	/** File that names the supervisor's socket. */
	readonly socketFile: string;
	readonly waits: Waits;
};

/** Returns a person for a session that runs. */
export const personAt = ({project, socketFile, waits}: PersonParts): Person => {
	const tryAnswer: Person['tryAnswer'] = ({id}, choice, note) =>
		project.run('answer', id, choice, '--json', ...(note === undefined ? [] : ['--note', note]));

	/** What most stories come to anyway is sent as a screen sends it, which is faster than a command. */
	const decide = async ({id}: InboxItem, choice: string): Promise<void> => {
		const control = await connect(readFileSync(socketFile, 'utf8'));
		try {
			await control.request({do: 'decide', item: id, choice, by: 'user'});
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
