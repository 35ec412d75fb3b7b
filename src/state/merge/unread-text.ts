import type {UnreadFiles, WhyUnread} from '../../events/unread.ts';
import {sanitize} from '../../lib/text/sanitize.ts';

/** Returns in a sentence which files only git compared, and why; `undefined` where all were read. */
export const unreadText = (unread: readonly UnreadFiles[]): string | undefined =>
	unread.length === 0 ? undefined : `Compared by git alone: ${unread.map(reasonText).join('; ')}.`;

const reasonText = ({why, paths, more}: UnreadFiles): string =>
	`${paths.map(path => sanitize(path)).join(', ')}${more ? ' and others' : ''} (${reasons[why]})`;

const reasons: Readonly<Record<WhyUnread, string>> = {
	'no grammar': 'in no language that is read',
	'not ours': 'vendored or generated',
	'too large': 'too large to read',
	'no text': 'no text',
	'in part': 'the parser had to skip some of it',
	'parser failed': 'the parser crashed',
	'parser took too long': 'the parser took too long',
	'too many files': 'too many files were changed',
};
