/** As of git 2.54 hooks can be part of its configuration too; there is no switch for all of those, but one for each event. */
const events =
	'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push post-rewrite pre-auto-gc post-index-change reference-transaction';

/** Settings by which git runs no hook, neither of a folder nor of its configuration. */
export const hooksOff: readonly (readonly [key: string, value: string])[] = [
	['core.hooksPath', '/dev/null'],
	...events.split(' ').map(event => [`hook.${event}.enabled`, 'false'] as const),
];
