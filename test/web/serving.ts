import {type IncomingMessage, request} from 'node:http';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {Failure} from '../../src/lib/failure.ts';
import type {PageView} from '../../src/web/page/view.ts';
import {servePage} from '../../src/web/serve-page.ts';
import type {Given} from '../helpers/given.ts';
import {viewOf} from './a-view.ts';

export type Sent = {
	readonly method?: string;
	/** Behind the token, or in its place where it begins with a slash. */
	readonly path?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Buffer;
};

export type Got = {
	readonly status: number;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
};

/** Serves the page of a session in memory, which decides as a supervisor does. */
export const serving = async (session: Given, changes: Partial<PageView> = {}) => {
	const listeners = new Set<() => void>();
	const tell = (): void => {
		for (const listener of listeners) {
			listener();
		}
	};

	const asked: unknown[] = [];
	const page = await servePage({
		port: 0,
		view: () => viewOf(session, changes),
		subscribe: listener => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		work: async agent => ({
			words: `${agent} said <b>this</b>`,
			files: [
				{
					path: 'src/<b>.js',
					status: 'A',
					modes: ['000000', '100644'],
					added: 21_000,
					removed: 0,
					shown: false,
				},
			],
			patch: '+<script>alert(1)</script>\n',
		}),
		ask: async request => {
			asked.push(request);
			const {item, choice} = request;
			const refusal = session.ask({
				kind: 'decide',
				item: String(item),
				choice: String(choice),
				by: 'web',
			});
			if (refusal !== undefined) {
				throw new Failure('refused', refusal);
			}

			tell();
		},
	});
	onTestFinished(page.close);
	const {host, origin, port, pathname} = new URL(page.link);
	const open = (sent: Sent = {}): Promise<IncomingMessage> => {
		const {method = 'GET', path = '', headers = {}, body} = sent;
		const asking = request({
			host: '127.0.0.1',
			port,
			method,
			path: path.startsWith('/') ? path : `${pathname}${path}`,
			headers: {host, ...headers},
		});
		asking.end(body);
		return new Promise((resolve, reject) => {
			asking.on('response', resolve).on('error', reject);
		});
	};

	const send = async (sent: Sent = {}): Promise<Got> => {
		const response = await open(sent);
		return {
			status: response.statusCode ?? 0,
			headers: response.headers,
			body: await text(response),
		};
	};

	return {
		link: page.link,
		port: Number(port),
		asked,
		/** Says that the session has gone on. */
		tell,
		close: page.close,
		open,
		send,
		/** Sends a form as the page does. */
		post: (fields: Readonly<Record<string, string>>, headers: Sent['headers'] = {origin}) =>
			send({
				method: 'POST',
				path: 'decide',
				headers,
				body: `${new URLSearchParams({session: session.state().session?.session ?? '', ...fields})}`,
			}),
	};
};
