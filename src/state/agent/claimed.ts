import {resultRows} from '../../signals/definitions/result.ts';
import type {Agent} from './agent.ts';
import {respondedBy} from './updates.ts';

/** A path that an agent names: delivered, it says that it is there; changed, that it did something to it. */
export type Claimed = {readonly path: string; readonly as: 'delivered' | 'changed'};

/** Returns what an agent says of its work as a whole: in its report or its response, or, as long as there is none, at its last checkpoint or line by line. */
export const claimed = ({report, response, updates}: Agent): readonly Claimed[] => {
	if (report !== undefined) {
		return report.deliverables.filter(isPath).map(path => ({path, as: 'delivered'}));
	}

	const artifacts = updates.results.filter(said => 'artifacts' in said);
	const paths = [...updates.created, ...artifacts.flatMap(resultRows).map(({path}) => path)];
	return updates.checkpoint === undefined || respondedBy(response) !== undefined
		? [...new Set(paths)].filter(isPath).map(path => ({path, as: 'delivered'}))
		: updates.checkpoint.changes.map(({file}) => ({path: file, as: 'changed'}));
};

/** A deliverable may be a sentence, too; only what looks like a path can be looked up. */
const isPath = (deliverable: string): boolean => /^\S+$/.test(deliverable);
