import {isEvent} from '../../events/decode.ts';
import type {Event} from '../../events/event.ts';
import {Failure} from '../../lib/failure.ts';

type Entry = {readonly seq: number; readonly kind: string};

/** A supervisor never writes on top of what it does not understand. */
export const requireEvent = (entry: Entry): Event => {
	if (!isEvent(entry)) {
		throw unknownKind(entry);
	}

	return entry;
};

/** Says to a person that an entry of the journal is of a kind which this version doesn't know. */
export const unknownKind = ({seq, kind}: Entry): Failure =>
	new Failure('refused', `Event ${seq} of the journal is of an unknown kind: ${kind}.`, {
		hint: 'A newer delegate-tui wrote it; use that one.',
	});
