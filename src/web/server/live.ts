import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import type {Shown} from '../page/page.ts';

/** Tells pages that are open what they show, as server-sent events. */
export type Live = {
	/** Tells a page from now on; false when too many are open. */
	readonly open: (response: ServerResponse) => boolean;
	/** Tells all pages, if anything that they show has changed. */
	readonly publish: () => void;
	readonly close: () => void;
};

/** Pages that are told at a time. */
const mostPages = 32;

/** How often something is sent although nothing happens, so that it is seen where nobody is there any more, and how long something still takes; in milliseconds. */
const beatMs = 15_000;

/** `look` returns what is shown now. */
export const createLive = (look: () => Shown): Live => {
	const pages = new Set<(message: string) => void>();
	let last = '';
	const push = (): void => {
		const shown = look();
		const text = JSON.stringify(shown);
		if (text !== last) {
			last = text;
			send(messageOf(shown));
		}
	};

	const send = (message: string): void => {
		for (const page of pages) {
			page(message);
		}
	};

	const beat = setInterval(() => {
		if (pages.size > 0) {
			send(': still here\n\n');
			push();
		}
	}, beatMs);
	return {
		open: response => {
			if (pages.size >= mostPages) {
				return false;
			}

			const page = writerTo(response);
			pages.add(page);
			response.once('close', () => pages.delete(page));
			response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8'});
			page(`retry: 1000\n\n${messageOf(look())}`);
			return true;
		},
		publish: () => {
			if (pages.size > 0) {
				push();
			}
		},
		close: () => {
			clearInterval(beat);
			pages.clear();
		},
	};
};

/** The clock of a phone may be another one, so a page is told the time that ours shows. */
const messageOf = (shown: Shown): string =>
	`data: ${JSON.stringify({...shown, now: new Date().toISOString()})}\n\n`;

/** A page that reads slowly gets the last message when it is ready for one, and none of those before: each tells all. */
const writerTo = (response: ServerResponse): ((message: string) => void) => {
	let waiting: string | undefined;
	return message => {
		if (waiting !== undefined) {
			waiting = message;
			return;
		}

		if (!response.write(message)) {
			waiting = '';
			void once(response, 'drain').then(
				() => {
					const next = waiting ?? '';
					waiting = undefined;
					response.write(next);
				},
				() => {},
			);
		}
	};
};
