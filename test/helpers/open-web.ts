import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {onTestFinished} from 'vitest';
import {type Project, program} from './project.ts';

/** `delegate-tui web` of a project, for use like a browser's. */
export type Web = {
	readonly link: string;
	readonly process: ChildProcess;
	/** Resolves once the page, with its updates, contains a text. */
	readonly until: (text: string) => Promise<string>;
	/** Sends a form like the page, and returns the outcome of each item. */
	readonly post: (fields: Readonly<Record<string, string>>) => Promise<unknown>;
};

/** Starts it, and opens its page. */
export const openWeb = async ({root, environment}: Project): Promise<Web> => {
	const child = spawn(process.execPath, [program, 'web'], {
		cwd: root,
		env: environment,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const [line] = await once(createInterface({input: child.stdout}), 'line');
	const link = String(line);
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	const news = readNews(link, closing.signal);
	return {
		link,
		process: child,
		until: async text => {
			for (;;) {
				const {value, done} = await news.next();
				if (done) {
					throw new Error(`The page was told no more, and never: ${text}`);
				}

				if (value.includes(text)) {
					return value;
				}
			}
		},
		post: async fields => {
			const {origin} = new URL(link);
			const body = new URLSearchParams(fields);
			const response = await fetch(`${link}decide`, {method: 'POST', headers: {origin}, body});
			return response.json();
		},
	};
};

async function* readNews(link: string, signal: AbortSignal): AsyncGenerator<string, void> {
	const {body} = await fetch(`${link}live`, {signal});
	let text = '';
	for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
		text += chunk;
		const messages = text.split('\n\n');
		text = messages.pop() ?? '';
		for (const message of messages.filter(each => each.startsWith('data: '))) {
			yield JSON.parse(message.slice('data: '.length)).body;
		}
	}
}
