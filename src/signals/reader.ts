import {ruleOf, undecorated} from './decoration.ts';
import type {Definition} from './definition.ts';
import {fenceOf, openFence} from './fence.ts';
import type {Line, Open, Outcome} from './open.ts';
import {createOpening, type Opened} from './opening.ts';

/** Reads a transcript, or what stands in a fence of it, line by line. */
export type Reader = {
	read(line: Line): readonly Outcome[];
	/** Ends the text: what is still open is settled. */
	end(): readonly Outcome[];
	/** Takes a line that can only be words; false when something is open that words mean something to. */
	pass(): boolean;
	/** Whether there was anything but signals, rules and empty lines. */
	sawStray(): boolean;
};

/**
Creates a reader for these signals, in which code fences are fences or, inside of one, mere words.

At most one thing is open at a time. A line goes to that thing, and begins the next when nothing is open or the open one had ended before it.
*/
export const createReader = (
	definitions: readonly Definition[],
	{fences}: {readonly fences: boolean},
): Reader => {
	const opened = createOpening(definitions);
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

		const begun = openedFence(text) ?? opened(line, text, ruleAbove);
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

	const openedFence = (text: string): Opened | undefined => {
		const fence = fences ? fenceOf(text) : undefined;
		return fence && {open: openFence(fence, createReader(definitions, {fences: false}))};
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
		pass: () => {
			if (open !== undefined) {
				return open.pass?.() ?? false;
			}

			readStray();
			return true;
		},
		end: settle,
		sawStray: () => isStray,
	};
};
