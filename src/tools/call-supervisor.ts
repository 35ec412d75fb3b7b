import {connect} from '../control/send.ts';
import type {ToolFields} from '../signals/definition.ts';
import type {ToolAccess} from './access.ts';
import {type CallResult, callResult, type HeldNotice, heldNotice} from './wire.ts';

/** One call of a tool. */
export type Call = {
	readonly tool: string;
	readonly fields: ToolFields;
	/** Aborted when nobody waits for the result any more. */
	readonly signal: AbortSignal;
	/** Called when the supervisor holds the call open. */
	readonly onHeld: (notice: HeldNotice) => void;
};

/**
Asks the supervisor what comes of a call.

Each call has a connection of its own: when it ends, the supervisor knows that nobody listens, and keeps the answer for the agent's next prompt.
*/
export const callSupervisor = async (
	{socket, token}: ToolAccess,
	{tool, fields, signal, onHeld}: Call,
): Promise<CallResult> => {
	const control = await connect(socket);
	signal.addEventListener('abort', control.close, {once: true});
	try {
		signal.throwIfAborted();
		const result = await control.request({token, tool, fields}, part => {
			onHeld(heldNotice.parse(part));
		});
		return callResult.parse(result);
	} finally {
		signal.removeEventListener('abort', control.close);
		control.close();
	}
};
