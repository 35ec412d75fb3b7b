import * as z from 'zod/mini';
import {page} from '../../control/socket.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {omit} from '../../lib/values.ts';
import type {Resource} from '../model.ts';

/** Resources as a screen got them, by their keys. */
export type Resources = Readonly<Record<string, Resource>>;

/** Name of the file in which a recording keeps what was shown of it; one resource a line. */
export const shownFile = 'shown.ndjson';

const line = z.extend(z.omit(page, {next: true}), {
	resource: z.string(),
	cut: z.exactOptional(page.shape.cut),
});

/** Lines kept of one resource: a recording is to be small, and says how much more there was. */
const keptLines = 400;

/** Returns resources as the text of that file; those that never came are left out. */
export const writeShown = (resources: Resources): string =>
	Object.entries(resources)
		.flatMap(([key, resource]) =>
			resource.phase === 'ready' ? [{resource: key, ...kept(resource)}] : [],
		)
		.map(entry => `${JSON.stringify(entry)}\n`)
		.join('');

const kept = ({lines, ...rest}: Extract<Resource, {phase: 'ready'}>) => ({
	lines: lines.slice(0, keptLines),
	...omit(rest, 'phase'),
});

/** Returns the resources of such a text; what can't be read as one is passed over, since nothing depends on it. */
export const readShown = (text: string): Resources =>
	Object.fromEntries(
		text.split('\n').flatMap(entry => {
			const read = line.safeParse(readJsonObject(entry));
			if (!read.success) {
				return [];
			}

			const {resource, ...rest} = read.data;
			return [[resource, {phase: 'ready', ...rest}]];
		}),
	);
