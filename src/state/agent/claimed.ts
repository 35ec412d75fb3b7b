import {defined} from '../../lib/values.ts';
import {resultRows} from '../../signals/definitions/result.ts';
import {type Agent, lastSnapshot} from './agent.ts';
import {respondedBy} from './updates.ts';

/** A path that an agent names: delivered, it says that it is there; changed, that it did something to it. */
export type Claimed = {readonly path: string; readonly as: 'delivered' | 'changed'};

/** Returns what an agent says of its work as a whole: in its report, its response and line by line or, as long as it has not ended, at its last checkpoint. */
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

/** Returns the files that an agent says it delivered or created, in its words, without those that were looked for in vain. */
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
