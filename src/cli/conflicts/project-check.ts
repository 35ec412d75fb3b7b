import {ownCheck} from '../../conflicts/oracle/command/own-check.ts';
import type {OraclePlugin} from '../../conflicts/oracle/oracle.ts';
import {Failure} from '../../lib/failure.ts';
import type {Runner} from './open-runner.ts';

export type ProjectCheckParts = {
	/** The command that was typed, which is leave enough to run it. */
	readonly typed?: string;
	/** Those of the config, which were written before anybody knew what they would be run on. */
	readonly configured: readonly string[];
	readonly runsCode: boolean;
	/** Opened when it is first needed. */
	readonly openRunner: () => Promise<Runner>;
};

/** Makes the project's own check a checker of commits; where it may not run code of theirs, it says so in its place. */
export const projectCheck = ({
	typed,
	configured,
	runsCode,
	openRunner,
}: ProjectCheckParts): OraclePlugin => {
	let runner: Promise<Runner> | undefined;
	const commands = typed === undefined ? configured : [typed];
	return ownCheck({
		commands: () => commands,
		run: async (commit, signal) => {
			if (typed === undefined && !runsCode) {
				throw new Failure('refused', 'It would run code of the commits; --run-code lets it.');
			}

			runner ??= openRunner();
			return (await runner)(commands, commit, signal);
		},
	});
};
