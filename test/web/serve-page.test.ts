import {createHash} from 'node:crypto';
import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {connect, createServer, type Socket} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {servePage} from '../../src/web/serve-page.ts';
import {asking} from './a-view.ts';
import {serving} from './serving.ts';

const answer = {item: 'q-1', 'own:q-1': '8080'};

describe('whoever has the link', () => {
	test('gets the page, and with it nothing but its own script may run', async () => {
		const {send} = await serving(asking('Which port?'));
		const {status, headers, body} = await send();
		expect(status).toBe(200);
		expect(body).toContain('Which port?');
		const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(body) ?? [];
		const hash = createHash('sha256').update(script).digest('base64');
		expect(headers['content-security-policy']).toContain(
			`default-src 'none'; script-src 'sha256-${hash}'`,
		);
		expect(headers).toMatchObject({'cache-control': 'no-store', 'referrer-policy': 'no-referrer'});
	});

	test('sees what an agent said and changed so far, as text', async () => {
		const {send} = await serving(asking('Which port?'));
		expect((await send()).body).toContain('href="work/AGT-001"');
		const {status, body} = await send({path: 'work/AGT-001'});
		expect(status).toBe(200);
		expect(body).toContain('AGT-001 said &lt;b&gt;this&lt;/b&gt;');
		expect(body).toContain('+&lt;script&gt;alert(1)&lt;/script&gt;');
		expect(body).toContain('src/&lt;b&gt;.js +21000 −0 <strong>too long to be shown here');
		expect(body).not.toContain('<script');
		expect(await send({path: 'work/AGT-009'})).toMatchObject({status: 404});
		expect(await send({path: 'work/../AGT-001'})).toMatchObject({status: 404});
	});

	test('answers, and is told that it was taken', async () => {
		const {post, asked} = await serving(asking('Which port?'));
		const {status, body} = await post(answer);
		expect([status, JSON.parse(body)]).toEqual([
			200,
			{outcomes: [{item: 'q-1', ok: true, text: 'q-1: 8080'}]},
		]);
		expect(asked).toEqual([{do: 'decide', item: 'q-1', choice: '8080', by: 'web'}]);
	});

	test('comes first or is told who did, when two answer at one moment', async () => {
		const session = asking('Which port?');
		const {post} = await serving(session);
		const answers = await Promise.all([post(answer), post({...answer, 'own:q-1': '9090'})]);
		const outcomes = answers.flatMap(({body}) => JSON.parse(body).outcomes);
		const [taken] = outcomes.filter(({ok}) => ok);
		expect(outcomes.filter(({ok}) => !ok)).toEqual([
			{
				item: 'q-1',
				ok: false,
				text: `q-1 no longer waits. Answered "${taken.text.slice(5)}" from the browser.`,
			},
		]);
	});
});

describe('nobody else gets an answer:', () => {
	test.each([
		['without a token', {path: '/'}],
		['with another token', {path: `/${'A'.repeat(43)}/`}],
		['with a part of it', {path: '/A/'}],
		['with none that can be read', {path: '/%ff%00/../'}],
		['under a name that leads here from elsewhere', {headers: {host: 'evil.example'}}],
		['under a name that only begins like ours', {headers: {host: '127.0.0.1.evil.example'}}],
		['from another page', {headers: {origin: 'http://evil.example'}}],
		['from another program of this machine', {headers: {origin: 'http://localhost:1'}}],
		['read by another page', {headers: {'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors'}}],
		[
			'in a frame',
			{
				headers: {
					'sec-fetch-site': 'cross-site',
					'sec-fetch-mode': 'navigate',
					'sec-fetch-dest': 'iframe',
				},
			},
		],
	])('%s', async (_, sent) => {
		const {send} = await serving(asking('Which port?'));
		const {status, headers, body} = await send(sent);
		expect([status, headers['content-type']]).toEqual([403, 'text/plain; charset=utf-8']);
		expect(body).not.toContain('port');
	});

	test.each([
		['another page', {origin: 'http://evil.example'}],
		['a page that hides where it is', {origin: 'null'}],
		['nobody knows where', {}],
	])('a form from %s decides nothing', async (_, headers) => {
		const {post, asked} = await serving(asking('Which port?'));
		expect((await post(answer, headers)).status).toBe(403);
		expect(asked).toEqual([]);
	});
});

test('a link may be followed from elsewhere, and through a tunnel', async () => {
	const {send} = await serving(asking('Which port?'));
	const headers = {
		host: 'localhost:8080',
		'sec-fetch-site': 'cross-site',
		'sec-fetch-mode': 'navigate',
		'sec-fetch-dest': 'document',
	};
	expect((await send({headers})).status).toBe(200);
});

test('what is not there is said so, and nothing is decided by a link', async () => {
	const {send, asked} = await serving(asking('Which port?'));
	expect((await send({path: 'else'})).status).toBe(404);
	expect((await send({path: 'decide?item=q-1&own:q-1=8080'})).status).toBe(404);
	expect(asked).toEqual([]);
});

describe('it stays there', () => {
	test.each([
		['with its length told', {}],
		['in pieces', {'transfer-encoding': 'chunked'}],
	])('when somebody sends ten million bytes %s', async (_, headers) => {
		const {send, link, asked} = await serving(asking('Which port?'));
		const {origin} = new URL(link);
		const body = Buffer.alloc(10_000_000, 'a');
		const sent = {method: 'POST', path: 'decide', headers: {origin, ...headers}, body};
		// Who goes on sending may find the line cut before the answer is read.
		const status = await send(sent).then(
			got => got.status,
			() => 'cut off',
		);
		expect([413, 'cut off']).toContain(status);
		expect(asked).toEqual([]);
		expect((await send()).status).toBe(200);
	});

	test('when a thousand connections say nothing, and those that showed the token keep theirs', async () => {
		const {send, open, post, port} = await serving(asking('Which port?, Which host?'));
		const news = newsOf(await open({path: 'live'}));
		await news();
		const sockets = await Promise.all(Array.from({length: 1000}, () => connected(port)));
		expect((await send()).status).toBe(200);
		await expect.poll(() => sockets.filter(({destroyed}) => destroyed).length).toBeGreaterThan(900);
		expect((await post(answer)).status).toBe(200);
		expect((await news()).body).toContain('Answered &quot;8080&quot;');
	});
});

describe('a page that is open', () => {
	test('is told at once what has changed', async () => {
		const {open, post} = await serving(asking('Which port?, Which host?'));
		const news = newsOf(await open({path: 'live'}));
		expect(await news()).toMatchObject({title: '(2) orders · delegate-tui'});
		await post(answer);
		const {title, body} = await news();
		expect(title).toBe('(1) orders · delegate-tui');
		expect(body).toContain('Answered &quot;8080&quot; from the browser.');
	});

	test('is one of a few; more are told that there are too many', async () => {
		const {open, send} = await serving(asking('Which port?'));
		const pages = await Promise.all(Array.from({length: 32}, () => open({path: 'live'})));
		expect((await send({path: 'live'})).status).toBe(503);
		pages[0]?.destroy();
		await expect.poll(async () => (await open({path: 'live'})).statusCode).toBe(200);
	});
});

test('a port that another program has is told as such', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	onTestFinished(() => void other.close());
	await once(other, 'listening');
	const address = other.address();
	const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
	const nobody = () => Promise.reject(new Error('nobody'));
	const view = () => {
		throw new Error('nobody looks');
	};
	await expect(
		servePage({port, view, subscribe: () => () => {}, ask: nobody, work: nobody}),
	).rejects.toMatchObject({
		kind: 'refused',
		message: `Port ${port} is not available: another program listens there.`,
	});
});

const connected = async (port: number): Promise<Socket> => {
	const socket = connect(port, '127.0.0.1').on('error', () => {});
	onTestFinished(() => void socket.destroy());
	await once(socket, 'connect');
	return socket.resume();
};

/** Returns how to wait for the next news of a page. */
const newsOf = (response: IncomingMessage) => {
	onTestFinished(() => void response.destroy());
	let text = '';
	const chunks = response[Symbol.asyncIterator]();
	return async (): Promise<{readonly title: string; readonly body: string}> => {
		for (;;) {
			const at = text.search(/data: .*\n\n/);
			if (at >= 0) {
				const [line = ''] = text.slice(at).split('\n');
				text = text.slice(at + line.length);
				return JSON.parse(line.slice('data: '.length));
			}

			const {value, done} = await chunks.next();
			if (done) {
				throw new Error('The page was told no more.');
			}

			text += value;
		}
	};
};
