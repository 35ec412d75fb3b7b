import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Ask} from '../client/supervisor/asked.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {plainJson} from '../lib/text/plain-json.ts';
import {agentOf} from '../state/select.ts';
import {decide} from './decisions/decide.ts';
import {type Assets, pageOf, shownOn} from './page/page.ts';
import type {View} from './page/view.ts';
import {type Work, workPage} from './page/work-page.ts';
import {policyFor, readAssets} from './server/assets.ts';
import {limitUnauthenticated} from './server/limit-unauthenticated.ts';
import {listen} from './server/listen.ts';
import {createLive, type Live} from './server/live.ts';
import {readBody} from './server/read-body.ts';
import {prepare, refuse, send} from './server/respond.ts';
import {newToken} from './server/token.ts';
import {addressOf, whyNotServed} from './server/why-not-served.ts';

export type ServeOptions = {
	/** Any free port for 0. */
	readonly port: number;
	readonly view: () => View;
	/** Calls the listener when there may be something new to show. */
	readonly subscribe: (listener: () => void) => () => void;
	readonly ask: Ask;
	/** Looks at what an agent has done until now; fails with a `Failure` where there is none of that name. */
	readonly work: (agent: string) => Promise<Work>;
};

/** A page that is served until it is closed. */
export type ServedPage = {
	/** The link, with a token that is in no other place. */
	readonly link: string;
	readonly close: () => Promise<void>;
};

/** Whoever is slow to say what they want is let go; in milliseconds. */
const patience = {
	headersTimeout: 5000,
	requestTimeout: 10_000,
	keepAliveTimeout: 5000,
	connectionsCheckingInterval: 1000,
	maxHeaderSize: 8 * 1024,
} as const;

/**
Serves the page on this machine alone, to whoever has its link.

@throws `Failure` of kind `refused` when the port can't be had
*/
export const servePage = async (options: ServeOptions): Promise<ServedPage> => {
	const assets = await readAssets();
	const policy = policyFor(assets);
	const token = newToken();
	const live = createLive(() => shownOn(options.view()));
	const server = createServer(patience, (request, response) => {
		prepare(response, policy);
		const refusal = whyNotServed(request, token);
		if (refusal !== undefined) {
			refuse(response, 403, refusal);
			return;
		}

		trust(request.socket);
		answer(request, response, {...options, assets, live}).catch(() => response.destroy());
	});
	const trust = limitUnauthenticated(server);
	const port = await listen(server, options.port).catch((error: unknown) => {
		live.close();
		throw error;
	});
	const unsubscribe = options.subscribe(live.publish);
	return {
		link: `http://127.0.0.1:${port}/${token}/`,
		close: async () => {
			unsubscribe();
			live.close();
			const closed = new Promise(resolve => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
};

type Parts = ServeOptions & {readonly assets: Assets; readonly live: Live};

/** Answers a request that showed the token. */
const answer = async (
	request: IncomingMessage,
	response: ServerResponse,
	{view, ask, work, assets, live}: Parts,
): Promise<void> => {
	const {name, of} = addressOf(request);
	switch (`${request.method} ${name}`) {
		case 'GET ':
			send(response, 'text/html', pageOf(view(), assets));
			return;
		case 'GET work': {
			if (agentOf(view().session.state, of) === undefined) {
				refuse(response, 404, 'There is no such agent in this session.');
				return;
			}

			const found = await work(of).catch(asFailure);
			if (found instanceof Failure) {
				refuse(response, 404, found.message);
				return;
			}

			send(response, 'text/html', workPage(of, found, assets));
			return;
		}
		case 'GET live':
			if (!live.open(response)) {
				refuse(response, 503, 'Too many pages are open.');
			}

			return;
		case 'POST decide': {
			const form = await readBody(request, longestForm);
			if (form === undefined) {
				refuse(response, 413, 'That is longer than an answer can be.');
				return;
			}

			const outcomes = await decide(view, new URLSearchParams(form), ask);
			send(response, 'application/json', plainJson({outcomes}));
			return;
		}
		default:
			refuse(response, 404, 'There is nothing here.');
	}
};

/** Longest form that is read, in bytes: an answer may have 64 KiB, which a form can treble. */
const longestForm = 512 * 1024;
