/** Git 2.54 also runs hooks of its configuration. There is no switch for all of those, but since 2.55 one for each event; 2.54 has only one for each hook, by a name that we don't know. */
const events =
	'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push post-rewrite pre-auto-gc post-index-change reference-transaction pre-receive update proc-receive post-receive post-update push-to-checkout';

/** Settings by which git runs no hook, neither of a folder nor, since 2.55, of its configuration. */
export const hooksOff: readonly (readonly [key: string, value: string])[] = [
	['core.hooksPath', '/dev/null'],
	...events.split(' ').map(event => [`hook.${event}.enabled`, 'false'] as const),
];
