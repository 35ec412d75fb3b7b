import type {Event} from '../../events/event.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {inMarkdown} from '../../lib/text/in-markdown.ts';
import {plainJson} from '../../lib/text/json.ts';
import {omit} from '../../lib/values.ts';
import {contentOf} from '../../signals/meaning.ts';
import type {Skipped, State} from '../../state/state.ts';
import type {SessionFolder} from '../folder.ts';
import type {Documents} from './documents.ts';

/**
Keeps files in a session's folder with the findings of all agents and the work that they were told to skip: projections of the journal, each created with its first entry.

@param onTrouble Called when a file could not be written; the session continues without it.
*/
export const keepSharedFiles = (
	folder: Pick<SessionFolder, 'findings' | 'skipped'>,
	onTrouble: (error: unknown) => void,
): Pick<Documents, 'flush'> & {
	readonly add: (events: readonly Event[], state: State) => void;
} => {
	const findings = new Map<string, string>();
	let skipped = 0;
	let writing = Promise.resolve();
	const write = (path: string, text: string): void => {
		writing = writing.then(() => writeAtomically(path, text)).catch(onTrouble);
	};

	return {
		add: (events, state) => {
			const before = findings.size;
			for (const [key, line] of events.map(findingIn).filter(found => found !== undefined)) {
				findings.set(key, findings.get(key) ?? line);
			}

			if (findings.size > before) {
				write(folder.findings, [...findings.values()].join(''));
			}

			if (state.skipped.length > skipped) {
				skipped = state.skipped.length;
				write(folder.skipped, skippedText(state.skipped));
			}
		},
		flush: () => writing,
	};
};

/** Returns the line that an event adds to `SHARED_FINDINGS.jsonl`, if any, and the key that prevents duplicates. */
const findingIn = (event: Event): readonly [key: string, line: string] | undefined => {
	if (event.kind !== 'signal.said' || event.signal.kind !== 'finding') {
		return undefined;
	}

	const {at, agent, signal} = event;
	const said = omit(signal, 'kind', 'line', 'agent', 'timestamp');
	return [`${agent} ${contentOf(signal)}`, `${plainJson({at, agent, ...said})}\n`];
};

/** Returns the text of `SKIPPED_ITEMS.md`: all work that agents were told to skip. */
const skippedText = (skipped: readonly Skipped[]): string =>
	`# Skipped items\n\n${skipped.map(lineOf).join('')}`;

const lineOf = ({at, agent, item, what, why, note}: Skipped): string =>
	`- ${at} ${agent} (${item}): ${[
		inMarkdown(what),
		...(why === what ? [] : [`because: ${inMarkdown(why)}`]),
		...(note === undefined ? [] : [`note: ${inMarkdown(note)}`]),
	].join('; ')}\n`;
