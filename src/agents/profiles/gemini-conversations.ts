import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {readJsonObject} from '../../lib/text/json-object.ts';
import type {LoginContext} from './profile.ts';

/**
Removes what Gemini CLI has left beside a conversation of it: each time it takes one up it begins an empty file of the same name.

As it starts, it removes conversations in which nothing was said, with all files whose names end like theirs. So the next start would remove the conversation itself.
*/
export const removeEmptyTwins = async (
	conversation: string,
	{home, environment}: LoginContext,
): Promise<void> => {
	const projects = join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
	for (const project of await namesIn(projects)) {
		const folder = join(projects, project, 'chats');
		const names = (await namesIn(folder)).filter(name =>
			name.endsWith(`-${conversation.slice(0, 8)}.jsonl`),
		);
		const files = await Promise.all(names.map(name => read(join(folder, name), conversation)));
		if (files.some(({kind}) => kind === 'conversation')) {
			await Promise.all(
				files.filter(({kind}) => kind === 'empty').map(({path}) => rm(path, {force: true})),
			);
		}
	}
};

type Found = {readonly path: string; readonly kind: 'conversation' | 'empty' | 'other'};

const read = async (path: string, conversation: string): Promise<Found> => {
	const text = await readFile(path, 'utf8').catch(() => '');
	const lines = text
		.split('\n')
		.filter(text => text !== '')
		.map(readJsonObject);
	if (lines[0]?.sessionId !== conversation) {
		return {path, kind: 'other'};
	}

	return {path, kind: lines.every(saysNothing) ? 'empty' : 'conversation'};
};

/** What is said has a type; the rest tells of the file itself, or sets all that was said: with nothing but the words that each begins with. */
const saysNothing = (line: Readonly<Record<string, unknown>> | undefined): boolean =>
	line !== undefined &&
	line.type === undefined &&
	(line.$set === undefined || setsNothing.safeParse(line.$set).success);

const setsNothing = z.looseObject({messages: z.array(z.unknown()).max(1).optional()});

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
