import {defined} from '../../lib/values.ts';
import {resultRows} from '../../signals/definitions/result.ts';
import type {Agent} from './agent.ts';
import {respondedBy} from './updates.ts';

/** A path that an agent names: delivered, it says that it is there; changed, that it did something to it. */
export type Claimed = {readonly path: string; readonly as: 'delivered' | 'changed'};

/** Returns what an agent says of its work as a whole: in its report or its response, or, as long as there is none, at its last checkpoint or line by line. */
export const claimed = ({report, response, updates}: Agent): readonly Claimed[] => {
	if (report !== undefined) {
		return report.deliverables.flatMap(said => {
			const {path} = readDeliverable(said);
			return path === undefined ? [] : [{path, as: 'delivered'} as const];
		});
	}

	const artifacts = updates.results.filter(said => 'artifacts' in said);
	const paths = [...updates.created, ...artifacts.flatMap(resultRows).map(({path}) => path)];
	return updates.checkpoint === undefined || respondedBy(response) !== undefined
		? [...new Set(paths)].filter(isPath).map(path => ({path, as: 'delivered'}))
		: updates.checkpoint.changes.map(({file}) => ({path: file, as: 'changed'}));
};

/** A deliverable may be a sentence, too; only what looks like a path can be looked up. */
const isPath = (deliverable: string): boolean => /^\S+$/.test(deliverable);

/** Reads a deliverable: a path, also in backticks or as `{path: …}`, and what may be said of it behind a dash, a colon or in brackets; no path in a sentence. */
export const readDeliverable = (
	said: string,
): {readonly path?: string; readonly description?: string} => {
	const plain = said
		.trim()
		.replace(/^\{?\s*["']?(?:path|file)["']?:\s*["']?([^\s"',}]+).*$/s, '$1');
	if (isPath(plain)) {
		return {path: plain.replace(/^`(.+)`$/, '$1')};
	}

	const [, path, description] =
		/^`?([^\s`]*[./][^\s`]*?)`?(?:\s+[-–—:]+\s+|:\s+|\s+(?=\())(\S.*)$/s.exec(plain) ?? [];
	return path === undefined ? {} : {path, ...defined({description})};
};
