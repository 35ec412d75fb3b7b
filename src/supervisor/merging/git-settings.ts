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

/** Returns a digest of the person's current git settings, and their changes since the session began. */
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

/** Maximum number of settings to name: more would not help a person. */
const mostNamed = 20;

/**
Returns an event that blocks the build if it would start a filter or a signing program from settings that no person has seen.

The build runs filters on the merged work, and signs its commit, before a person approves it. An agent that managed to change these settings could otherwise run a program unseen.
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
Returns a refusal to merge if the person's git settings have changed since they approved the result.

If the result arrived in the target already, before a crash, it counts as merged with any settings.
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
