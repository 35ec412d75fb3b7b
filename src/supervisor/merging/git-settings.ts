import type {Body} from '../../events/event.ts';
import type {GitSettingsSeen} from '../../events/kinds/machine-event.ts';
import {filtersFor, type Incoming} from '../../git/filters/clean-filters.ts';
import {changedSince, readSettings} from '../../git/read-settings.ts';
import {tipOf} from '../../git/repository/repository.ts';
import {signsCommits} from '../../git/store/person-commit.ts';
import type {Built} from '../../state/merge/merge.ts';
import {areKnown, changedText} from '../../state/merge/surface-notes.ts';
import type {State} from '../../state/state.ts';
import {requireSession, type World} from '../world.ts';

/** Reads what the person's git goes by now, and what of that came, went or changed since the session began. */
export const seeSettings = async (
	{repository}: Pick<World, 'repository'>,
	state: State,
): Promise<GitSettingsSeen> => {
	const {gitSettings} = requireSession(state);
	const reading = await readSettings(repository);
	const changed = changedSince(reading, gitSettings);
	const more = changed.length - mostNamed;
	return {
		digest: reading.digest,
		changed: more > 0 ? [...changed.slice(0, mostNamed), `${more} more`] : changed,
	};
};

/** Names beyond these make nobody wiser. */
const mostNamed = 20;

/**
Returns that the build is blocked, where it would start a filter, or a program that signs, by settings that no person has seen.

Filters take in the merged work, and its commit is signed, before anybody is asked to approve it. So whoever set such a program up while agents worked would have it run before a person hears of it.
*/
export const blockedBySettings = async (
	{repository, store}: Pick<World, 'repository' | 'store'>,
	state: State,
	seen: GitSettingsSeen,
	incoming: Incoming,
): Promise<Body | undefined> => {
	if (areKnown(state, seen.digest)) {
		return undefined;
	}

	const filters = await filtersFor(repository, store, incoming);
	return filters.size === 0 && !(await signsCommits(repository))
		? undefined
		: {kind: 'merge.blocked', conflicts: [], gitSettings: seen};
};

/**
Returns that a result isn't merged, where the person's git goes by something else than when they approved it.

One that has arrived already, before a crash, is merged whatever git goes by now.
*/
export const settingsRefusal = async (
	{repository}: Pick<World, 'repository' | 'store'>,
	state: State,
	{commit, gitSettings: approved}: Built,
): Promise<Body | undefined> => {
	const {target} = requireSession(state);
	if ((await tipOf(repository, target)) === commit) {
		return undefined;
	}

	const seen = await seeSettings({repository}, state);
	return seen.digest === approved.digest
		? undefined
		: {
				kind: 'merge.refused',
				commit,
				cause: 'settings-changed',
				message:
					`Your git settings have changed since you approved this result. ${changedText(seen)}`.trim(),
				hint: 'Look at what changed; the result is built again and waits for your approval.',
			};
};
