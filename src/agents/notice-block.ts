import {oneLine} from './one-line.ts';

/** Something that an agent did or wanted to do and that was refused or reverted, with the reason. */
export type Notice = {
	readonly kind: 'refused' | 'reverted';
	readonly what: string;
	readonly why: string;
};

/** Most of them that are told at a time; more say no more. */
const maximumNotices = 20;

/** Returns the words in which an agent is told what was refused and what was reverted. */
export const noticeBlock = (notices: readonly Notice[]): string =>
	[
		'NOT DONE',
		...notices
			.slice(0, maximumNotices)
			.map(({kind, what, why}) => `- ${kind}: ${oneLine(what)}, because: ${oneLine(why)}`),
		...(notices.length > maximumNotices ? [`- and ${notices.length - maximumNotices} more`] : []),
	].join('\n');
