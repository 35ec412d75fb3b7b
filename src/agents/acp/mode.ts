import {methods} from '@agentclientprotocol/sdk';
import {z} from 'zod';
import type {Connection} from './connection.ts';

const openedSchema = z.object({
	modes: z.object({
		currentModeId: z.string(),
		availableModes: z.array(z.object({id: z.string()})),
	}),
});

/**
Puts a conversation that was just opened into a mode, where the agent offers it; returns whether it does.

Settings of the person, or what the conversation was in before, may have put it into one in which it doesn't ask.
*/
export const setMode = async (
	{agent}: Connection,
	sessionId: string,
	{mode, opened, signal}: {mode: string | undefined; opened: unknown; signal: AbortSignal},
): Promise<boolean> => {
	const modes = openedSchema.safeParse(opened).data?.modes;
	const isOffered = modes?.availableModes.some(({id}) => id === mode) ?? false;
	if (mode !== undefined && isOffered && modes?.currentModeId !== mode) {
		await agent.request(
			methods.agent.session.setMode,
			{sessionId, modeId: mode},
			{cancellationSignal: signal, stopWaitingOnCancel: true},
		);
	}

	return isOffered;
};
