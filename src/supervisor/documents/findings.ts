import type {Event} from '../../events/event.ts';
import {omit} from '../../lib/omit.ts';
import {plainJson} from '../../lib/text/plain-json.ts';
import {contentOf} from '../../signals/content.ts';

/** Returns the line of `SHARED_FINDINGS.jsonl` that an event brings, if any, and what no second line may say again. */
export const findingIn = (event: Event): readonly [key: string, line: string] | undefined => {
	if (event.kind !== 'signal.said' || event.signal.kind !== 'finding') {
		return undefined;
	}

	const {at, agent, signal} = event;
	const said = omit(signal, 'kind', 'line', 'agent', 'timestamp');
	return [`${agent} ${contentOf(signal)}`, `${plainJson({at, agent, ...said})}\n`];
};
