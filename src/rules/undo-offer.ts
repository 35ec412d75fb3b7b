import type {GitSettingsSeen} from '../events/kinds/machine-event.ts';
import {enumerated, shortOid} from '../lib/text/words.ts';
import {failedCommand, portsText} from '../state/merge/checked-result.ts';
import type {Verified} from '../state/merge/merge.ts';
import type {UndoOrRedo} from '../state/merge/publication.ts';
import {changedText} from '../state/merge/surface-notes.ts';

/** The move that `undo` would make, for a person to confirm. */
export type UndoOffer = {
	readonly session: string;
	readonly turn: UndoOrRedo;
	/** Commit of the merge, and the first line of its message. */
	readonly merge: string;
	readonly subject: string;
	readonly agents: readonly string[];
	readonly target: string;
	/** Reason for this way, in words: the builders on the merge, or that there are none. */
	readonly because: string;
	/** `move`: the target goes back to its earlier commit; `commit`: a new commit on top reverts the changes. */
	readonly how: 'move' | 'commit';
	/** Current and future commit of the target; null while that commit isn't made. */
	readonly from: string;
	readonly to: string | null;
	/** Remote branches that contain the merge, as far as the local git knows. */
	readonly pushed?: readonly string[];
	readonly files: number;
	/** Result of the plan's check on the target's future tree; absent without a check. */
	readonly checked?: UndoCheck;
	/** Git settings that changed since the merge was approved. */
	readonly gitSettings?: GitSettingsSeen;
};

/** Result of the check with the path of its log, or the reason why it could not run. */
export type UndoCheck =
	| (Pick<Verified, 'ok' | 'commands'> & {readonly log: string | null})
	| {readonly ok: false; readonly why: string};

/** Returns the facts about an undo, one per line. */
export const offerText = (offer: UndoOffer): readonly string[] => {
	const {turn, merge, subject, agents, session, because, how, target, from, to, files} = offer;
	const isUndo = turn === 'undo';
	return [
		`${isUndo ? 'The newest merge' : 'The merge that was taken back'}: ${shortOid(merge)} "${subject}" (${agents.join(', ')}, session ${session})`,
		how === 'move'
			? `${because}: ${target} would go ${isUndo ? 'back ' : ''}from ${shortOid(from)} to ${shortOid(to ?? '')}, and ${filesText(files)} with it.`
			: `${because}: a commit on top of ${shortOid(from)} would ${isUndo ? 'take it back' : 'bring it back'}, and change ${filesText(files)}.`,
		...worthALook(offer),
	];
};

/** Returns the question whether to make the move. */
export const offerQuestion = (offer: UndoOffer): string => {
	const {turn, merge, agents, target} = offer;
	const named = `the merge ${shortOid(merge)} (${enumerated(agents)})`;
	return [
		turn === 'undo'
			? `Take ${named} back from ${target}? Your own edits stay; later commits stay on top.`
			: `Bring ${named} back into ${target}?`,
		...worthALook(offer),
	].join(' ');
};

const worthALook = ({turn, pushed, checked, gitSettings}: UndoOffer): readonly string[] => [
	...(turn === 'undo' && pushed !== undefined
		? [`It was pushed (${enumerated(pushed)}), and stays there until you push again.`]
		: []),
	...(checked === undefined ? [] : [checkText(checked)]),
	...(gitSettings === undefined ? [] : [`Worth a look: ${changedText(gitSettings)}`]),
];

const checkText = (checked: UndoCheck): string => {
	if ('why' in checked) {
		return `The check could not run there: ${checked.why}`;
	}

	const {ok, commands, log} = checked;
	return ok
		? `The check passes there${portsText({commands})} (${commands.map(({command}) => `\`${command}\``).join(', ')}).`
		: `The check fails there: ${failedCommand({commands})}${log === null ? '' : `; see ${log}`}.`;
};

const filesText = (files: number): string => (files === 1 ? 'one file' : `${files} files`);
