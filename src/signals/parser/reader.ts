import {ruleOf, undecorated} from './decoration.ts';
import {fenceOf, openFence} from './fence.ts';
import type {Line, Open, Outcome} from './open.ts';
import type {Opened, Opening} from './opening.ts';
import {openThoughts, thoughtsOf} from './thoughts.ts';

/** Reads a transcript, or what stands in a fence of it, line by line. */
export type Reader = {
	read(line: Line): readonly Outcome[];
	/** Ends the text: what is still open is settled. */
	end(): readonly Outcome[];
	/** Takes a line that can only be words, or is blank; false when something is open that it means something to. */
	pass(plainly: 'words' | 'blank'): boolean;
	/** Whether something has begun and not ended. */
	isOpen(): boolean;
	/** Whether there was anything but signals, rules and empty lines. */
	sawStray(): boolean;
};

/** What signals may stand in: a code fence, an agent's thoughts. Where it isn't told apart, its marks are mere words. */
export type Envelope = 'fence' | 'thoughts';

const NOTHING: ReadonlySet<Envelope> = new Set();
const FENCES: ReadonlySet<Envelope> = new Set(['fence']);

/**
Creates a reader for the signals of `opening` that tells these envelopes apart.

At most one thing is open at a time. A line goes to that thing, and begins the next when nothing is open or the open one had ended before it.
*/
export const createReader = (opening: Opening, envelopes: ReadonlySet<Envelope>): Reader => {
	let open: Open | undefined;
	let isStray = false;
	let ruleAbove: string | undefined;

	const readStray = (): void => {
		isStray = true;
		ruleAbove = undefined;
	};

	const settle = (): readonly Outcome[] => {
		const outcomes = open?.settle() ?? [];
		isStray ||= open !== undefined && outcomes.length === 0;
		open = undefined;
		return outcomes;
	};

	/** Lets the line begin something, and returns what of it that must take first. */
	const begin = (line: Line, outcomes: Outcome[]): Line | undefined => {
		const text = undecorated(line.text);
		const rule = ruleOf(text);
		if (text === '' || rule !== undefined) {
			ruleAbove = rule ?? ruleAbove;
			return undefined;
		}

		const begun = openedEnvelope(line, text) ?? opening(line, text, ruleAbove);
		if (begun === undefined) {
			readStray();
			return undefined;
		}

		ruleAbove = undefined;
		open = begun.open;
		if (begun.whole) {
			outcomes.push(...settle());
		}

		return begun.left;
	};

	const openedEnvelope = (line: Line, text: string): Opened | undefined => {
		const fence = envelopes.has('fence') ? fenceOf(text) : undefined;
		if (fence !== undefined) {
			return {open: openFence(fence, line, () => createReader(opening, NOTHING))};
		}

		const thought = envelopes.has('thoughts') ? thoughtsOf(text) : undefined;
		return thought === undefined
			? undefined
			: {open: openThoughts(createReader(opening, FENCES), line), left: {...line, text: thought}};
	};

	/** Reads the line and returns what of it is still to be read. */
	const step = (line: Line, outcomes: Outcome[]): Line | undefined => {
		const taken = open === undefined ? 'before' : open.take(line);
		if (taken === 'more') {
			return undefined;
		}

		outcomes.push(...settle());
		if (taken === 'before') {
			return begin(line, outcomes);
		}

		return taken.last === '' ? undefined : {...line, text: taken.last};
	};

	return {
		read: line => {
			const outcomes: Outcome[] = [];
			for (let left: Line | undefined = line; left !== undefined; ) {
				left = step(left, outcomes);
			}

			return outcomes;
		},
		pass: plainly => {
			if (open !== undefined) {
				return open.pass?.(plainly) ?? false;
			}

			if (plainly === 'words') {
				readStray();
			}

			return true;
		},
		end: settle,
		isOpen: () => open !== undefined,
		sawStray: () => isStray,
	};
};
