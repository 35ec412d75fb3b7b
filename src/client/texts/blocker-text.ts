import {withoutColors} from '../../lib/text/sanitize.ts';
import {valueLines} from '../../lib/text/value-text.ts';
import type {InboxItem} from '../../rules/inbox.ts';
import type {BlockerCommand} from '../../state/items/blocker/command.ts';
import {type Fact, factLines} from './fact-lines.ts';

/** Returns what a blocked agent said, and what became of the command that was last run for it. */
export const blockerText = (item: InboxItem<'blocker'>): readonly string[] => [
	...factLines([
		['Kind', item.blocker_type],
		['Why it stops', item.stop_reason],
		['Blocked work', item.blocked_work],
		['To go on it needs', item.resume_requirements],
		...valueLines(item.state_snapshot).map((line): Fact => ['Where it stood', line]),
	]),
	...(item.command === undefined ? [] : commandLines(item.command)),
	...factLines([['It seems to ask for', item.proposed_command]]),
];

/** Returns a command with how it stands, such as `npm ci` failed with exit code 1. */
export const commandText = (command: BlockerCommand): string =>
	`\`${command.command}\` ${standingOf(command)}`;

const commandLines = (command: BlockerCommand): readonly string[] => [
	commandText(command),
	...(command.phase === 'failed' ? command.tail : []).map(
		line => `It printed: ${withoutColors(line)}`,
	),
];

const standingOf = (command: BlockerCommand): string => {
	switch (command.phase) {
		case 'running':
			return 'is running in its worktree';
		case 'cancelled':
			return 'was ended by you';
		case 'failed':
			return command.code === null
				? (command.why ?? 'was ended by a signal')
				: `failed with exit code ${command.code}`;
	}
};
