import type {Event} from '../../events/event.ts';
import {writeAtomically} from '../../lib/files/write-atomically.ts';
import {plainJson} from '../../lib/text/plain-json.ts';
import {contentOf} from '../../signals/content.ts';

/** The file of all that agents found out. */
export type Findings = {
	/** Takes up events that were written; the file follows. */
	readonly add: (events: readonly Event[]) => void;
	/** Settles when the file shows everything that was added. */
	readonly flush: () => Promise<void>;
};

export type FindingsParts = {
	readonly path: string;
	/** Called when the file could not be written; the session goes on without it. */
	readonly onTrouble: (error: unknown) => void;
};

/** Keeps the shared findings: a projection of the journal in which each finding of an agent stands once. */
export const keepFindings = ({path, onTrouble}: FindingsParts): Findings => {
	const lines = new Map<string, string>();
	let writing = Promise.resolve();

	return {
		add: events => {
			const count = lines.size;
			for (const event of events) {
				if (event.kind === 'signal.said' && event.signal.kind === 'finding') {
					const {at, agent, signal} = event;
					const {kind: _, line: __, agent: ___, timestamp: ____, ...said} = signal;
					const key = `${agent} ${contentOf(signal)}`;
					lines.set(key, lines.get(key) ?? `${plainJson({at, agent, ...said})}\n`);
				}
			}

			if (lines.size > count) {
				writing = writing
					.then(() => writeAtomically(path, [...lines.values()].join('')))
					.catch(onTrouble);
			}
		},
		flush: () => writing,
	};
};
