import type {SurfaceChange} from '../../events/finding.ts';
import type {GitSettingsSeen} from '../../events/kinds/machine-event.ts';
import type {State} from '../state.ts';
import type {Built} from './merge.ts';

/** Returns a sentence for each surface change, files that run before paths that lead elsewhere; above a maximum, the number of further ones. */
export const surfaceNotes = (surface: readonly SurfaceChange[]): readonly string[] =>
	kinds.flatMap(kind => {
		const all = surface.filter(({as}) => as === kind.as);
		const left = all.length - mostListed;
		return [
			...all.slice(0, mostListed).map(kind.sentence),
			...(left > 0 ? [`${left} ${kind.more}`] : []),
		];
	});

const mostListed = 10;

type Kind = Pick<SurfaceChange, 'as'> & {
	readonly sentence: (change: SurfaceChange) => string;
	/** Text after the number of unlisted ones. */
	readonly more: string;
};

const kinds: readonly Kind[] = [
	{
		as: 'runs',
		sentence: ({path, what}) => `${path} changes what runs by itself (${what}).`,
		more: 'more changes are to what runs by itself.',
	},
	{
		as: 'link',
		sentence: ({path, what}) => `${path} is a link to "${what}".`,
		more: 'more are links.',
	},
	{
		as: 'submodule',
		sentence: ({path, what}) => `${path} is a submodule, at ${what}.`,
		more: 'more are submodules.',
	},
];

/** Returns whether a person knows their current git settings: as at the start of the session, or as they last accepted. */
export const areKnown = ({session, agreedSettings}: State, digest: string): boolean =>
	digest === session?.gitSettings.digest || digest === agreedSettings;

/** Returns a note if a result's commit is not signed although the person's settings ask for it. */
export const unsignedNotes = ({unsigned}: Pick<Built, 'unsigned'>): readonly string[] =>
	unsigned === undefined
		? []
		: [`Your git signs commits (commit.gpgSign), and can’t sign this one: ${unsigned}`];

/** Returns a result's notes that name files with remaining conflict markers. */
export const markerNotes = ({notes = []}: Pick<Built, 'notes'>): readonly string[] =>
	notes.filter(note => note.startsWith('Conflict markers remain in '));

/** Returns a sentence about the changed git settings; empty if none changed. */
export const changedText = ({changed}: GitSettingsSeen): string => {
	const last = changed.at(-1);
	if (last === undefined) {
		return '';
	}

	const others = changed.slice(0, -1).join(', ');
	return others === ''
		? `Since the session began, ${last} has changed; your git follows it from now on.`
		: `Since the session began, ${others} and ${last} have changed; your git follows them from now on.`;
};
