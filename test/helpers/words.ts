import type {Signal} from '../../src/signals/index.ts';
import {checkpoint, hear, report} from './given.ts';

const texts: readonly string[] = [
	report('success'),
	report('partial'),
	report('failed'),
	'WORKFLOW_COMPLETE\n',
	'[CLARIFICATION_NEEDED]\nquestions: [Which port?, Which host?]\n[/CLARIFICATION_NEEDED]\n',
	'[CLARIFICATION_NEEDED]\nquestions: [Port., Host?]\nall_required: false\n[/CLARIFICATION_NEEDED]\n',
	'[CLARIFICATION_NEEDED]\nquestions:\n  - {id: a, question: A?, required: false}\n[/CLARIFICATION_NEEDED]\n',
	'[STOP_WORK]\ndetails: There is no disk.\n[/STOP_WORK]\n',
	'[STOP_WORK]\nblocker_type: x\n[/STOP_WORK]\n',
	'[DELEGATE_WORK]\nnew_task_description: [One, Two]\nindependence: blocks_current_work\n[/DELEGATE_WORK]\n',
	'[DELEGATE_WORK]\nnew_task_description: Write the docs.\nindependence: can_proceed_parallel\n[/DELEGATE_WORK]\n',
	'[SCOPE_REQUEST]\npaths: [docs/a.md]\n[/SCOPE_REQUEST]\n',
	checkpoint('Status: IN_PROGRESS\nProgress: 40%'),
	checkpoint('Status: BLOCKED\n## Questions for Parent\n- Why?'),
	checkpoint('Status: COMPLETE'),
	'QUESTION_ESCALATED:a\n',
	'PROGRESS: Write - Wrote 1/2 files\n',
	'ERROR: It broke.\n',
	'COUNT: 3\n',
	'TITLE: t\n',
	'CREATED: src/a.ts\n',
];

/** One of each signal of an agent that matters to a session. */
export const words: readonly Signal[] = texts.flatMap(text => hear(text));
