import {type Document, isMap, isSeq, parseDocument} from 'yaml';

export type Completion = {
	/** The task in the person's own words. */
	readonly task: string;
	/** The agent of subtasks for which none was named. */
	readonly agent: string;
};

/** Returns a proposed plan with the person's own task, and with an agent named for each subtask; the planner's comments stay. */
export const completeProposal = (text: string, {task, agent}: Completion): string => {
	const document = parseDocument(text, {stringKeys: true});
	document.set('task', task);
	nameAgents(document, agent);
	return document.toString({lineWidth: 0, flowCollectionPadding: false});
};

const nameAgents = (document: Document, agent: string): void => {
	const agents = document.get('agents', true);
	for (const entry of isSeq(agents) ? agents.items.filter(isMap) : []) {
		if (!entry.has('agent')) {
			entry.set('agent', agent);
		}
	}
};
