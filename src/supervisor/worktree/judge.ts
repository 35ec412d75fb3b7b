import type {Scope} from '../../events/plan.ts';
import type {Store} from '../../git/store/store.ts';
import {type Change, changes} from '../../git/tree/changes.ts';
import {submoduleMode} from '../../git/tree/entry.ts';
import {entriesOf} from '../../git/tree/listing.ts';
import {encodePath} from '../../lib/text/byte-path.ts';
import {judge} from '../../state/agent/scope.ts';
import {findEscapingLinks, touchesLink} from './escaping-links.ts';

/** An agent's changes, separated by its scope. */
export type Judged = {
	/** Changes that may be merged. */
	readonly inside: readonly Change[];
	/** Changes that must be reverted, with the reasons. */
	readonly outside: readonly Violation[];
};

type Violation = {readonly change: Change; readonly why: string};

/**
Judges all differences between two trees by a scope.

Only the trees decide, not an agent's claims or a watcher's hints: a change outside the scope is found however it was made. The agent's private folder is neither inside nor outside.
*/
export const judgeChanges = async (
	store: Store,
	scope: Scope,
	from: string,
	to: string,
): Promise<Judged> => {
	const fit: Change[] = [];
	const outside: Violation[] = [];
	for (const change of await changes(store, from, to)) {
		const why = whyOutside(scope, change.path) ?? whyUnfit(change);
		if (why === 'private') {
			continue;
		}

		if (why === undefined) {
			fit.push(change);
		} else {
			outside.push({change, why});
		}
	}

	const {inside, violations} = await withoutStrayLinks(store, from, fit);
	return {inside, outside: [...outside, ...violations].toSorted(byPath)};
};

/** Drops escaping links until none is left, since a link may resolve elsewhere without another. */
const withoutStrayLinks = async (
	store: Store,
	from: string,
	fit: readonly Change[],
): Promise<{readonly inside: readonly Change[]; readonly violations: readonly Violation[]}> => {
	if (!fit.some(touchesLink)) {
		return {inside: fit, violations: []};
	}

	const before = await entriesOf(store, from);
	const violations: Violation[] = [];
	for (let inside = fit; ; ) {
		const found = await findEscapingLinks(store, before, inside);
		if (found.length === 0) {
			return {inside, violations};
		}

		const reasons = new Map(
			found.flatMap(({by, why, link}) =>
				by.map(change => [change, change.path === link ? why : `it makes ${link} ${why}`]),
			),
		);
		violations.push(...[...reasons].map(([change, why]) => ({change, why})));
		inside = inside.filter(change => !reasons.has(change));
	}
};

const byPath = ({change: one}: Violation, {change: other}: Violation): number =>
	Buffer.compare(encodePath(one.path), encodePath(other.path));

const whyOutside = (scope: Scope, path: string): string | undefined => {
	const verdict = judge(scope, path);
	if (verdict === 'allowed') {
		return undefined;
	}

	return verdict === 'private' ? 'private' : verdict.outside;
};

const whyUnfit = (change: Change): string | undefined => {
	if (change.status === 'D') {
		return undefined;
	}

	if (change.status === 'A' && change.path.includes('\\')) {
		return 'a name that other systems read as a path';
	}

	return change.new.mode === submoduleMode ? 'a repository inside the repository' : undefined;
};
