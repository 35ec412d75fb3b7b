import type {GitSettingsSeen} from '../../events/git-settings.ts';
import type {State} from '../state.ts';

/** Returns whether a person knows what their git goes by: it is as it was when the session began, or as they last agreed to. */
export const areKnown = ({session, agreedSettings}: State, digest: string): boolean =>
	digest === session?.gitSettings.digest || digest === agreedSettings;

/** Returns in one sentence what changed of what the person's git goes by; nothing where nothing did. */
export const changedText = ({changed}: GitSettingsSeen): string => {
	const last = changed.at(-1);
	if (last === undefined) {
		return '';
	}

	const others = changed.slice(0, -1).join(', ');
	return others === ''
		? `Since the session began, ${last} has changed; your git goes by it from now on.`
		: `Since the session began, ${others} and ${last} have changed; your git goes by them from now on.`;
};
