import type {Reply} from '../../../events/reply.ts';
import {defined} from '../../../lib/defined.ts';
import {workStatusOf} from '../../agent/work-status.ts';
import type {ItemOf} from '../../item.ts';

/** Returns what a blocked agent said, for the prompt that takes its work up again. */
export const saidIn = ({
	details,
	said,
}: ItemOf<'blocker'>): Omit<Reply, 'item' | 'heading' | 'text'> => ({
	about: details,
	...defined({
		work: said?.blocked_work,
		workStatus: said === undefined ? undefined : workStatusOf(said),
	}),
});

/** Programs with which commands begin that agents ask for; words of everyday language, such as `make`, are none. */
const programs =
	'npm|npx|pnpm|yarn|corepack|pip3?|python3|poetry|cargo|rustup|cmake|composer|mvn|dotnet|docker|brew|apt-get|\\./[\\w./-]+';

/** What goes on in the sentence behind a command. */
const notOfCommands = /\s(?:has|have|is|was|must|should|to|in|so|and|before|first|then|again)\s.*$/;

/** Returns the command that an agent's words ask to have run, where they look like one; a person reads it before it runs. */
export const commandIn = (words: string | undefined): string | undefined => {
	const [, quoted] = /`([^`\n]+)`/.exec(words ?? '') ?? [];
	const [, plain] =
		new RegExp(`(?:^|[\\s:"'(])((?:${programs})\\s[^\\n.;,"')]+)`).exec(words ?? '') ?? [];
	return (quoted ?? plain?.replace(/\s*$/, ' ').replace(notOfCommands, ''))?.trim();
};
