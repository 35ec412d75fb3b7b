import type {WrittenProfile} from '../../rules/plan/fields.ts';

/** An agent of a demo: a shell script that talks in text, or a scene for our scripted agent, in YAML. */
export type Player = {readonly script: string} | {readonly scene: string};

/** The agents of a demo, by the names that its plan calls them by. */
export type Cast = Readonly<Record<string, Player>>;

/** Where a player's part is written down, and how fast it is played. */
export type PlayerSettings = {
	/** File of its script or scene. */
	readonly file: string;
	/** Folder for what it keeps of its conversations. */
	readonly temporary: string;
	/** Factor by which its pauses are stretched; 0 for none at all. */
	readonly pace: number;
};

/** Returns a player as the profile of an agent, as a config would hold it. */
export const profileOf = (
	player: Player,
	{file, temporary, pace}: PlayerSettings,
): WrittenProfile => {
	if ('script' in player) {
		return {protocol: 'text', command: ['sh', file], env: {DEMO_PAUSE: `${pace}`}};
	}

	const program = process.argv[1] ?? 'delegate-tui';
	return {
		protocol: 'acp',
		command: [process.execPath, program, 'scripted-agent', file, '--pace', `${pace}`],
		env: {TMPDIR: temporary},
	};
};
