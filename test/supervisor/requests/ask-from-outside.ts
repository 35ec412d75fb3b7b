import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {execa} from 'execa';
import {vi} from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, '../../../src/control/send.ts')).href;

/** Sends requests at once and prints what came of each: a supervisor wants to see a process of its own behind them. */
const program = `
	import {readFileSync} from 'node:fs';
	import {connect} from ${JSON.stringify(module)};
	const {path, requests} = JSON.parse(readFileSync(0, 'utf8'));
	const control = await connect(path);
	const ask = request => control.request(request).then(value => ({value}), ({kind, message}) => ({kind, message}));
	console.log(JSON.stringify(await Promise.all(requests.map(ask))));
	control.close();
`;

/** What a supervisor answered: a value, or a failure. */
export type Answered = {
	readonly value?: unknown;
	readonly kind?: string;
	readonly message?: string;
};

/** Asks the supervisor whose socket that file names, which may be about to listen, as another process does. */
export const askFromOutside = async (socketFile: string, request: object): Promise<Answered> => {
	const [answered = {}] = await askAtOnce(socketFile, [request]);
	return answered;
};

/** The same with several requests, which arrive together. */
export const askAtOnce = async (
	socketFile: string,
	requests: readonly object[],
): Promise<readonly Answered[]> => {
	const path = await vi.waitUntil(() => listening(socketFile), {timeout: 60_000, interval: 5});
	const {stdout} = await execa(
		process.execPath,
		[
			...['--experimental-strip-types', '--no-warnings', '--input-type=module'],
			...['--eval', program],
		],
		{input: JSON.stringify({path, requests})},
	);
	return JSON.parse(stdout);
};

const listening = (socketFile: string): string | undefined => {
	const path = existsSync(socketFile) ? readFileSync(socketFile, 'utf8') : undefined;
	return path !== undefined && existsSync(path) ? path : undefined;
};
