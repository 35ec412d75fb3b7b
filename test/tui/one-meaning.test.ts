import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isListed} from '../../src/tui/action.ts';
import {actions} from '../../src/tui/keys.ts';

/** What each key with several actions means, over all views: the actions of one meaning stand in one text. */
const meanings: Readonly<Record<string, readonly string[]>> = {
	enter: [
		'write-next take-path write-field keep-comment send search-words hunks-done take findings next open-item look write-comment take-entry',
		'neither',
	],
	tab: [
		'write-next next-field next-hunk next-question next-cell next-agent agent-after next-entry',
		'note write',
		'complete-command',
	],
	'shift+tab': [
		'write-previous previous-field previous-hunk previous-question previous-cell previous-agent agent-before previous-entry',
	],
	'ctrl+t': ['pick-paths pick-conversation'],
	esc: [
		'leave-paths done-writing stop-proposing stop-listing stop-writing no leave-hunks sides set-back-over back lines-over',
	],
	'ctrl+c': ['leave-paths done-writing stop-proposing stop-writing', 'leave-at-once leave'],
	p: ['pause-agent resume-agent', 'next-profile', 'pick-parts'],
	'ctrl+r': ['run-plan hand-in-plan hand-in-subtask'],
	'1': ['one-agent choose-1 answer-1 agent-1'],
	a: ['all-fields take-all together', 'abandon abort', 'about'],
	P: ['outcome set-back', 'propose-plan', 'publish'],
	'+': ['add-subtask grant add follow-up'],
	s: ['always session', 'skip', 'save-plan', 'only-new'],
	o: ['doing look', 'once open', 'open-plan'],
	down: [
		'next-field choose-next cell-down line-down row-down-arrow next-agent next-item next-entry',
	],
	j: ['next-field line-down row-down next-item'],
	up: [
		'previous-field choose-previous cell-up line-up row-up-arrow previous-agent previous-item previous-entry',
	],
	k: ['previous-field line-up row-up previous-item'],
	pageDown: ['next-subtask lines-down page-down'],
	'}': ['next-subtask next-path next-unread'],
	pageUp: ['previous-subtask lines-up page-up'],
	'{': ['previous-subtask previous-path previous-file'],
	y: ['yes take-part approve', 'copy-lines'],
	r: ['pull-request', 'take-right', 'other-work', 'resolved', 'restart-agent'],
	n: ['no leave-part reject refuse', 'find-next next-unresolved'],
	N: ['find-previous previous-unresolved'],
	space: ['mark choose-lines mark-file', 'page-down', 'look', 'pause'],
	right: ['forth next-hunk next-question cell-right next-agent'],
	left: ['back-one previous-hunk previous-question cell-left previous-agent'],
	']': ['forth-many next-hunk'],
	'[': ['back-many previous-hunk'],
	l: ['take-left', 'login', 'log'],
	f: ['take-file', 'feedback'],
	d: ['so-far work', 'delegate redistribute', 'hunks-done done'],
	R: ['redo', 'take-both-turned', 'only-reverted'],
	v: ['check-outcome check', 'show-base'],
	M: ['merge-tool', 'merge-now'],
	J: ['next-path next-file'],
	K: ['previous-path previous-file'],
	b: ['leave-hunks sides set-back-over back lines-over'],
	m: ['merge salvage', 'hunks manual', 'matrix'],
	e: ['open-editor edit reword open-line open-file open-failure editor-agent'],
	w: ['write-answer message', 'merge-with', 'delegate-wait', 'widen'],
	h: ['answers all-answers', 'help'],
	t: ['types check-work', 'retry'],
	c: ['continue complete accept', 'attach-agent'],
	x: ['cancel stop-agent', 'run', 'extend'],
	S: ['always-all', 'only-unlooked'],
	A: ['restart-failed-as restart-as'],
	U: ['undo redo'],
	C: ['lines write-comment'],
	'ctrl+d': ['lines-down page-down'],
	'ctrl+u': ['lines-up page-up'],
	'ctrl+p': ['previous-entry', 'palette'],
};

test('each key with several actions means what its list says, and nothing else', () => {
	const listed = actions.filter(isListed);
	const keys = [...new Set(listed.flatMap(({keys}) => keys))];
	const namesOf = (key: string) =>
		[...new Set(listed.filter(one => one.keys.includes(key)).map(({name}) => name))].toSorted();
	const several = keys.map(key => [key, namesOf(key)] as const).filter(([, all]) => all.length > 1);
	expect(Object.fromEntries(several)).toEqual(
		Object.fromEntries(
			Object.entries(meanings).map(([key, all]) => [key, all.join(' ').split(' ').toSorted()]),
		),
	);
});

test('docs/decisions.md has a reason for each key that means several things, and for no other', () => {
	const decisions = readFileSync(join(import.meta.dirname, '../../docs/decisions.md'), 'utf8');
	const [, reasons = ''] = /\*\*A key means one thing\b([\s\S]*?)\n\n(?!- )/.exec(decisions) ?? [];
	const named = [...reasons.matchAll(/`(.|[A-Z][a-z+]+[A-Z]?)`/g)].map(([, key = '']) =>
		key.length === 1 ? key : key.toLowerCase(),
	);
	const wanted = Object.entries(meanings).flatMap(([key, all]) => (all.length > 1 ? [key] : []));
	expect([...new Set(named)].toSorted()).toEqual(wanted.toSorted());
});
