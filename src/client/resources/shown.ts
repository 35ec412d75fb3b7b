import * as z from 'zod/mini';
import {page} from '../../control/socket.ts';
import {readJsonObject} from '../../lib/text/json.ts';
import {omit} from '../../lib/values.ts';
import type {Resource} from '../model.ts';

/** Resources that a screen got, by key. */
export type Resources = Readonly<Record<string, Resource>>;

/** Name of a recording's file with the shown resources, one per line. */
export const shownFile = 'shown.ndjson';

const line = z.extend(z.omit(page, {next: true}), {
	resource: z.string(),
	cut: z.exactOptional(page.shape.cut),
});

/** Maximum number of lines of a resource: a recording is to be small, and has the number of further lines. */
const keptLines = 400;

/** Returns resources as the text of that file; those that never arrived are left out. */
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

/** Parses the resources in such a text; invalid ones are skipped, since nothing depends on them. */
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
