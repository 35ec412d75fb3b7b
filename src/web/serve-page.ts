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
	/** Any free port for 0. */
	readonly port: number;
	readonly view: () => PageView;
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

			const outcomes = await decideForm(view, new URLSearchParams(form), ask);
			send(response, 'application/json', plainJson({outcomes}));
			return;
		}
		default:
			refuse(response, 404, 'There is nothing here.');
	}
};

/** Longest form that is read, in bytes: an answer may have 64 KiB, which a form can treble. */
const longestForm = 512 * 1024;

/** An agent's work so far, for a look before an answer. */
type Work = {
	/** The last lines that it said. */
	readonly words: string;
	/** What it changed since its base. */
	readonly files: readonly ListedFile[];
	/** The diff of those that are shown. */
	readonly patch: string;
	/** What is not shown, if it isn't all. */
	readonly remark?: string;
};

/** Returns the page of an agent's work, which stands as it was when it was asked for. */
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

/** Returns the body of a request as text; nothing, as soon as it is longer than the limit in bytes. */
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

/** What holds for each answer: nothing keeps it, no other page gets at it, and its address goes nowhere. */
const headers = {
	'cache-control': 'no-store',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
} as const;

/** Sets what each answer says, whatever becomes of it. */
const prepare = (response: ServerResponse, policy: string): void => {
	response.setHeaders(new Map(Object.entries({...headers, 'content-security-policy': policy})));
};

/** Answers with a whole text. */
const send = (response: ServerResponse, type: string, text: string): void => {
	response.writeHead(200, {'content-type': `${type}; charset=utf-8`}).end(text);
};

/** Answers with a sentence why not, and ends the connection: what still comes on it is of no use. */
const refuse = (response: ServerResponse, status: number, why: string): void => {
	response
		.writeHead(status, {'content-type': 'text/plain; charset=utf-8', connection: 'close'})
		.end(`${why}\n`);
};

/** Data of a request before it is carried out. */
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
Returns in a sentence why a request is not answered, or nothing when it is.

The name that it was sent to must be one of this machine's, since a page from elsewhere can have its own name lead here. The token stands in each address. A browser says where a request comes from: nothing may be sent by another page, nor read; only the link itself may be followed from anywhere.
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

/** Returns the token in an address, what is asked for behind it, and of whom. */
const addressOf = ({
	url = '',
}: Asked): {readonly token: string; readonly name: string; readonly of: string} => {
	const [, token = '', name = '', of = ''] =
		/^\/([\w-]*)\/?(work(?=\/)|[^?#]*)\/?([^?#]*)/.exec(url) ?? [];
	return {token, name, of};
};

/** Programs that are no browser send none of these fields. */
const comesFromHere = ({method, headers}: Asked): boolean => {
	const site = headers['sec-fetch-site'];
	const isFollowed =
		method === 'GET' &&
		headers['sec-fetch-mode'] === 'navigate' &&
		headers['sec-fetch-dest'] === 'document';
	return site === undefined || site === 'same-origin' || site === 'none' || isFollowed;
};

/** Tells pages that are open what they show, as server-sent events. */
type Live = {
	/** Tells a page from now on; false when too many are open. */
	readonly open: (response: ServerResponse) => boolean;
	/** Tells all pages, if anything that they show has changed. */
	readonly publish: () => void;
	readonly close: () => void;
};

/** Pages that are told at a time. */
const mostPages = 32;

/** How often something is sent although nothing happens, so that it is seen where nobody is there any more, and how long something still takes; in milliseconds. */
const beatMs = 15_000;

/** `look` returns what is shown now. */
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

/** The clock of a phone may be another one, so a page is told the time that ours shows. */
const messageOf = (shown: ShownPage): string =>
	`data: ${JSON.stringify({...shown, now: new Date().toISOString()})}\n\n`;

/** A page that reads slowly gets the last message when it is ready for one, and none of those before: each tells all. */
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

/** Reads what the page brings along: files beside the source, and beside the bundle. */
const readAssets = async (): Promise<Assets> => ({
	style: await read('page.css'),
	script: await read('page.js'),
});

const read = (name: string): Promise<string> => {
	const folder = import.meta.url.endsWith('.ts') ? './assets' : './web';
	return readFile(new URL(`${folder}/${name}`, import.meta.url), 'utf8');
};

/** Returns what a browser may do with the page: run its one script, and speak to nobody but us. */
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
