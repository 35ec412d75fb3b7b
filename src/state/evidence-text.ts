import type {Evidence} from '../events/finding.ts';

/** Returns where one side of a collision can be seen, as one line: file, line and the text there. */
export const evidenceText = (evidence: readonly Evidence[], side: Evidence['side']): string =>
	evidence
		.filter(one => one.side === side)
		.map(({path, line, text, removed}) =>
			[
				line === undefined ? path : `${path}:${line}`,
				...(removed ? ['(removed)'] : []),
				...(text === undefined ? [] : [text.trim()]),
			].join(' '),
		)
		.join(', ');
