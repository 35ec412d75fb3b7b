import type {Silence} from '../../../events/event.ts';
import {agentOf} from '../../../state/select.ts';
import type {World} from '../../world.ts';

/** Reports that nothing comes from an agent any more, once; or that something came again after that. Who waits for an answer in a call, or is frozen, may be silent. */
export const reportSilence = (
	world: Pick<World, 'state' | 'report'>,
	of: {readonly agent: string; readonly turn: number},
	silence: Silence | undefined,
): void => {
	const {turn, listening = []} = agentOf(world.state(), of.agent) ?? {};
	if (turn?.phase !== 'live' || turn.number !== of.turn) {
		return;
	}

	const maySpeak = listening.length === 0 && turn.pausedAt === undefined;
	const isKnown = turn.silent !== undefined;
	if (silence === undefined && isKnown) {
		world.report({kind: 'turn.changed', ...of, to: 'heard'});
	} else if (silence !== undefined && !isKnown && maySpeak) {
		world.report({kind: 'turn.changed', ...of, to: 'silent', ...silence});
	}
};
