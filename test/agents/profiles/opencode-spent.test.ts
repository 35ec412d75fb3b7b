import {createServer} from 'node:http';
import {Readable} from 'node:stream';
import {expect, it, onTestFinished} from 'vitest';
import {opencode} from '../../../src/agents/profiles/opencode.ts';
import {listen} from '../../../src/lib/loopback.ts';

const launch = (port: number, command = opencode.acp.command) =>
	opencode.launch({
		protocol: 'acp',
		command,
		environment: {OPENCODE_SERVER_PASSWORD: 'word'},
		readOnly: false,
		trusted: false,
		riskyFiles: [],
		folder: '/given',
		port,
	});

/** Returns what is known of a conversation where opencode's own server answers so. */
const spentWhere = async (answer: () => string | Readable, known = 'opencode:word') => {
	const server = createServer((request, response) => {
		const isHeard =
			request.url === '/session/ses_1' && request.headers.authorization === `Basic ${btoa(known)}`;
		const body = Readable.from(isHeard ? answer() : 'no');
		body.on('error', () => {}).pipe(response);
		response.on('close', () => body.destroy());
	});
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const port = await listen(server, 0);
	const {command, spent} = launch(port);
	expect(command).toEqual(['opencode', 'acp', '--pure', '--hostname=127.0.0.1', `--port=${port}`]);
	// Nothing is known before the first look, so the figure of the protocol counts.
	expect(await spent?.('ses_1')).toBeUndefined();
	return spent?.('ses_1');
};

const sums = {cost: 0.5, tokens: {input: 1, output: 2, reasoning: 3, cache: {read: 4, write: 5}}};

const endless = function* () {
	for (;;) {
		yield ' '.repeat(2 ** 16);
	}
};

it('says over its own server what a conversation has used up since it was asked last', async () => {
	const inputs = [100, 110];
	const answer = () =>
		JSON.stringify({
			...sums,
			tokens: {...sums.tokens, input: inputs.shift(), output: inputs.length},
		});
	expect(await spentWhere(answer)).toEqual({dollars: 0.5, tokens: 9});
});

it.each([
	['no sum', () => '{}'],
	['a negative sum', () => JSON.stringify({...sums, cost: -1})],
	['no end', () => Readable.from(endless())],
])('is not believed where it says %s', async (_, answer) => {
	expect(await spentWhere(answer)).toBeUndefined();
});

it('is not known where another program has that port', async () => {
	expect(await spentWhere(() => JSON.stringify(sums), 'opencode:other')).toBeUndefined();
});

it('is not asked at a port that a person chose for it', () => {
	const command = ['opencode', 'acp', '--port', '7'];
	const {command: launched, spent} = launch(9, command);
	expect(launched).toEqual([...command, '--pure']);
	expect(spent).toBeUndefined();
});
