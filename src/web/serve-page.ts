import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Ask} from '../client/supervisor/request-within.ts';
import {asFailure, Failure} from '../lib/failure.ts';
import {type Html, html} from '../lib/html.ts';
import {
	isToken,
	limitUnauthenticated,
	listen,
	newToken,
	ownName,
	patience,
} from '../lib/loopback.ts';
import {plainJson} from '../lib/text/json.ts';
import type {ListedFile} from '../rules/listed-file.ts';
import {agentOf} from '../state/select.ts';
import {decideForm} from './decide.ts';
import {type Assets, pageOf, type ShownPage, shownOn, wholePage} from './page/page.ts';
import type {PageView} from './page/view.ts';

type ServeOptions = {
	/** Port; 0 means any free one. */
	readonly port: number;
	readonly view: () => PageView;
	/** Calls the listener when there may be changes to show. */
	readonly subscribe: (listener: () => void) => () => void;
	readonly ask: Ask;
	/** Reads an agent's work so far; rejects with a `Failure` for an unknown agent. */
	readonly work: (agent: string) => Promise<Work>;
};

/** A page that is served until it is closed. */
export type ServedPage = {
	/** Link with a token that is nowhere else. */
	readonly link: string;
	readonly close: () => Promise<void>;
};

/**
Serves the page on this machine only, to browsers with its link.

@throws `Failure` of kind `refused` if the port is not available.
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

/** Answers a request with the right token. */
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

			const outcomes = await decideForm(view, new URLSearchParams(form), ask);
			send(response, 'application/json', plainJson({outcomes}));
			return;
		}
		default:
			refuse(response, 404, 'There is nothing here.');
	}
};

/** Maximum size of a form, in bytes: an answer may have 64 KiB, which a form can treble. */
const longestForm = 512 * 1024;

/** An agent's work so far, for a look before an answer. */
type Work = {
	/** Last lines of its output. */
	readonly words: string;
	/** Changed files since its base. */
	readonly files: readonly ListedFile[];
	/** Diff of the files that are shown. */
	readonly patch: string;
	/** Text about omitted files, if any. */
	readonly remark?: string;
};

/** Returns the page of an agent's work at the time of the request. */
const workPage = (agent: string, {words, files, patch, remark}: Work, {style}: Assets): string =>
	wholePage({
		title: `${agent} so far · delegate-tui`,
		style,
		body: html`<body class="work">
<p><a href="../">Everything that waits for you</a></p>
<h1>${agent} so far</h1>
<section aria-label="What it said last">
<h2 class="heading">What it said last</h2>
<pre>${words === '' ? 'Nothing yet.' : words}</pre>
</section>
<section aria-label="What it changed">
<h2 class="heading">What it changed</h2>
${remark !== undefined && html`<p>${remark}</p>`}
${files.length === 0 ? html`<p>Nothing yet.</p>` : html`<ul>${files.map(fileLine)}</ul>`}
${files.some(({shown}) => !shown) && html`<p><code>delegate-tui diff ${agent}</code> shows what this page leaves out.</p>`}
${patch !== '' && html`<pre>${patch}</pre>`}
</section>
</body>`,
	});

const fileLine = ({path, from, added, removed, shown, like}: ListedFile): Html =>
	html`<li>${path}${from !== undefined && `, renamed from ${from}`} ${added === null ? '(not text)' : `+${added} −${removed}`}${like !== undefined && html` changes as ${like} does`}${!shown && like === undefined && html` <strong>too long to be shown here</strong>`}</li>
`;

/** Reads the body of a request as text; returns nothing as soon as it exceeds the limit in bytes. */
const readBody = async (request: IncomingMessage, limit: number): Promise<string | undefined> => {
	if (Number(request.headers['content-length'] ?? 0) > limit) {
		return undefined;
	}

	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request.iterator({destroyOnReturn: false})) {
		length += chunk.length;
		if (length > limit) {
			return undefined;
		}

		chunks.push(chunk);
	}

	return Buffer.concat(chunks).toString();
};

/** Headers of each response: no cache, no access by other pages, and no referrer. */
const headers = {
	'cache-control': 'no-store',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
} as const;

/** Sets the headers of each response, successful or not. */
const prepare = (response: ServerResponse, policy: string): void => {
	response.setHeaders(new Map(Object.entries({...headers, 'content-security-policy': policy})));
};

const send = (response: ServerResponse, type: string, text: string): void => {
	response.writeHead(200, {'content-type': `${type}; charset=utf-8`}).end(text);
};

/** Sends a sentence about a refusal, and closes the connection without reading the rest of the request. */
const refuse = (response: ServerResponse, status: number, why: string): void => {
	response
		.writeHead(status, {'content-type': 'text/plain; charset=utf-8', connection: 'close'})
		.end(`${why}\n`);
};

/** Parts of a request that are checked before it is carried out. */
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
Returns the reason why a request is refused, or nothing if it is answered.

The host must be a name of this machine, since a page from elsewhere can let its own name resolve to here. The token is in each URL. A browser reports the origin of a request: other pages may neither send nor read anything; only the link itself may be followed from anywhere.
*/
const whyNotServed = (asked: Asked, token: string): string | undefined => {
	const {host = '', origin} = asked.headers;
	if (!ownName.test(host)) {
		return 'This page is served only under a name of this machine, such as 127.0.0.1.';
	}

	if (!isToken(token, addressOf(asked).token)) {
		return 'This link is not valid. Open the whole link that delegate-tui web has printed; each run has its own.';
	}

	const isOwn = origin === `http://${host}`;
	return (origin === undefined ? asked.method !== 'POST' : isOwn) && comesFromHere(asked)
		? undefined
		: 'Another page sent this request, and only this page may.';
};

/** Returns the token in a URL, the requested part after it, and its agent. */
const addressOf = ({
	url = '',
}: Asked): {readonly token: string; readonly name: string; readonly of: string} => {
	const [, token = '', name = '', of = ''] =
		/^\/([\w-]*)\/?(work(?=\/)|[^?#]*)\/?([^?#]*)/.exec(url) ?? [];
	return {token, name, of};
};

/** Returns whether a request comes from this page or from the link; programs other than browsers send none of these headers. */
const comesFromHere = ({method, headers}: Asked): boolean => {
	const site = headers['sec-fetch-site'];
	const isFollowed =
		method === 'GET' &&
		headers['sec-fetch-mode'] === 'navigate' &&
		headers['sec-fetch-dest'] === 'document';
	return site === undefined || site === 'same-origin' || site === 'none' || isFollowed;
};

/** Sends updates to open pages, as server-sent events. */
type Live = {
	/** Adds a page; returns false if too many are open. */
	readonly open: (response: ServerResponse) => boolean;
	/** Updates all pages, if their content has changed. */
	readonly publish: () => void;
	readonly close: () => void;
};

/** Maximum number of open pages. */
const mostPages = 32;

/** Interval of messages without a change, which detect closed connections, and time limit of a write, in milliseconds. */
const beatMs = 15_000;

/** Returns the updates; `look` returns the current content. */
const createLive = (look: () => ShownPage): Live => {
	const pages = new Set<(message: string) => void>();
	let last = '';
	const push = (): void => {
		const shown = look();
		const text = JSON.stringify(shown);
		if (text !== last) {
			last = text;
			send(messageOf(shown));
		}
	};

	const send = (message: string): void => {
		for (const page of pages) {
			page(message);
		}
	};

	const beat = setInterval(() => {
		if (pages.size > 0) {
			send(': still here\n\n');
			push();
		}
	}, beatMs);
	return {
		open: response => {
			if (pages.size >= mostPages) {
				return false;
			}

			const page = writerTo(response);
			pages.add(page);
			response.once('close', () => pages.delete(page));
			response.writeHead(200, {'content-type': 'text/event-stream; charset=utf-8'});
			page(`retry: 1000\n\n${messageOf(look())}`);
			return true;
		},
		publish: () => {
			if (pages.size > 0) {
				push();
			}
		},
		close: () => {
			clearInterval(beat);
			pages.clear();
		},
	};
};

/** Returns a message with the server's time, since a phone's clock may differ. */
const messageOf = (shown: ShownPage): string =>
	`data: ${JSON.stringify({...shown, now: new Date().toISOString()})}\n\n`;

/** Returns a writer to a page; a slow page gets only the last message, since each one is complete. */
const writerTo = (response: ServerResponse): ((message: string) => void) => {
	let waiting: string | undefined;
	return message => {
		if (waiting !== undefined) {
			waiting = message;
			return;
		}

		if (!response.write(message)) {
			waiting = '';
			void once(response, 'drain').then(
				() => {
					const next = waiting ?? '';
					waiting = undefined;
					response.write(next);
				},
				() => {},
			);
		}
	};
};

/** Reads the page's files, which are beside the source, and beside the bundle. */
const readAssets = async (): Promise<Assets> => ({
	style: await read('page.css'),
	script: await read('page.js'),
});

const read = (name: string): Promise<string> => {
	const folder = import.meta.url.endsWith('.ts') ? './assets' : './web';
	return readFile(new URL(`${folder}/${name}`, import.meta.url), 'utf8');
};

/** Returns the content security policy: only the page's script runs, and it only connects to this server. */
const policyFor = ({style, script}: Assets): string =>
	[
		"default-src 'none'",
		`script-src '${hash(script)}'`,
		`style-src '${hash(style)}'`,
		"connect-src 'self'",
		'img-src data:',
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	].join('; ');

const hash = (text: string): string =>
	`sha256-${createHash('sha256').update(text).digest('base64')}`;
