import type {ServerContext} from '@modelcontextprotocol/server';
import type {HeldNotice} from './wire.ts';

/** Shows the other side that a call is alive while a person is waited for. */
export type ProgressShown = {
	readonly start: (notice: HeldNotice) => void;
	readonly stop: () => void;
};

/** How often a sign of life is given, in milliseconds. */
const everyMs = 5000;

/** Creates what tells a client the seconds it has waited, if it asked for progress. */
export const showProgress = ({
	_meta,
	notify,
}: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>): ProgressShown => {
	const progressToken = _meta?.progressToken;
	let timer: NodeJS.Timeout | undefined;
	return {
		start: ({items, forMs}) => {
			if (progressToken === undefined) {
				return;
			}

			const since = performance.now();
			const message = `A person is asked: ${items.join(', ')}`;
			const total = Math.round(forMs / 1000);
			const send = (): void => {
				const progress = Math.round((performance.now() - since) / 1000);
				const params = {progressToken, progress, total, message};
				notify({method: 'notifications/progress', params}).catch(() => {});
			};

			send();
			timer = setInterval(send, everyMs);
		},
		stop: () => clearInterval(timer),
	};
};
