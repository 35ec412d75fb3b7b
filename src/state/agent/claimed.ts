import {defined} from '../../lib/values.ts';
import {resultRows} from '../../signals/definitions/result.ts';
import {type Agent, lastSnapshot} from './agent.ts';
import {respondedBy} from './updates.ts';

/** A path that an agent names: `delivered` claims that it exists, `changed` that the agent changed it. */
export type Claimed = {readonly path: string; readonly as: 'delivered' | 'changed'};

/** Returns the paths that an agent claims in its report, its response and its signals, or at its last checkpoint while it has not ended. */
export const claimed = ({report, response, updates}: Agent): readonly Claimed[] => {
	const hasEnded = report !== undefined || respondedBy(response) !== undefined;
	if (updates.checkpoint !== undefined && !hasEnded) {
		return updates.checkpoint.changes.map(({file}) => ({path: file, as: 'changed'}));
	}

	const delivered = (report?.deliverables ?? []).flatMap(said => readDeliverable(said).path ?? []);
	const artifacts = updates.results.filter(said => 'artifacts' in said);
	const named = [...updates.created, ...artifacts.flatMap(resultRows).map(({path}) => path)];
	return [...new Set([...delivered, ...named.filter(isPath)])].map(path => ({
		path,
		as: 'delivered',
	}));
};

/** Returns the files that an agent reports as delivered or created, without those that don't exist. */
export const filesNamed = (agent: Agent): readonly string[] => {
	const wrong = (lastSnapshot(agent)?.claims ?? []).flatMap(({claim, holds}) =>
		holds ? [] : [claim],
	);
	const pathOf = (said: string): string => readDeliverable(said).path ?? said;
	const delivered = agent.report?.deliverables ?? [];
	const paths = new Set(delivered.map(pathOf));
	const created = agent.updates.created.filter(path => !paths.has(path));
	return [...delivered, ...created].filter(said => !wrong.includes(pathOf(said)));
};

/** Returns whether a deliverable can be looked up: it may also be a sentence. */
const isPath = (deliverable: string): boolean => /^\S+$/.test(deliverable);

/** Reads a deliverable: a path, also in backticks or as `{path: …}`, with an optional description after a dash, a colon or in brackets; a sentence has no path. */
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
