import type {InboxItem} from '../rules/inbox.ts';

/** Returns an item of the inbox with its choices, as lines for a person. */
export const itemText = (item: InboxItem): string =>
	[
		`${item.id}  ${item.agent === undefined ? '' : `${item.agent}  `}${item.title}`,
		...item.choices.map(
			({choice, label, whyNot}) =>
				`    ${choice}${label === choice ? '' : `  — ${label}`}${whyNot === undefined ? '' : ` (not now: ${whyNot})`}`,
		),
		...(item.free ? ['    …or any text'] : []),
	].join('\n');
