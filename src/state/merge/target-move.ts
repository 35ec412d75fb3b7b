import type {TargetMove} from '../../events/target-move.ts';
import {counted} from '../../lib/text/counted.ts';
import {shortOid} from '../../lib/text/short-oid.ts';

/** Returns in a sentence what came to the target since the session began. */
export const movedText = (target: string, {base, rewritten, commits, more}: TargetMove): string => {
	const named = commits.map(
		({commit, author, subject}) => `${shortOid(commit)} ${author}: ${subject}`,
	);
	const list = [...named, ...(more === 0 ? [] : [`${more} more`])].join('; ');
	const behind = commits.length === 0 ? '' : `: ${list}`;
	const by = counted(commits.length + more, 'commit');
	return rewritten
		? `${target} was rewritten since the session began, and ${shortOid(base)} is no longer part of it; ${by} came instead${behind}`
		: `${target} has moved since the session began, by ${by} that no merge of this session made${behind}`;
};
