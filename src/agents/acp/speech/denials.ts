import {normalize} from 'node:path/posix';
import {z} from 'zod';

/** A path that a program could not reach, according to its output. */
export type Denied = {readonly path: string; readonly to: 'read' | 'write'};

/** Matches programs' messages about denied paths, in English, which is the locale of agents. */
const reason =
	/read-only file system|permission denied|operation not permitted|no such file or directory|connection refused|\b(?:EROFS|EACCES|EPERM|ENOENT|ECONNREFUSED)\b/i;
const writing =
	/read-only file system|\bEROFS\b|\bcannot (?:create|touch|remove|move)\b|\bmkdir\b/i;
const quotedPath = /['"\u2018\u201c`](\/[^'"\u2019\u201d`]+)['"\u2019\u201d`]/g;
/** Matches Node.js's message about a socket to which it can't connect. */
const pathBehind = /\bconnect E[A-Z]+ (\/[^\s:'"]+)/;
/** Matches a path after a blank or a colon, up to the next. */
const plainPath = /(?<=^|[\s:])\/[^\s:'"]+/g;

/** Maximum length of output to search, in characters: errors are at its end. */
const mostText = 64 * 1024;
const longestLine = 2000;
const mostDenied = 20;

/**
Returns the absolute paths that were denied, according to the output of a tool.

In a line with such an error these are the quoted paths, or else the socket that Node.js names after the error, or the last path before it; a shell begins the line with its own path. The caller must check whether the program could reach the path.
*/
export const denialsIn = (output: string): readonly Denied[] => {
	const lines = output.slice(-mostText).split('\n');
	const denied = lines.flatMap(line => {
		const found = line.length > longestLine ? null : reason.exec(line);
		if (found === null) {
			return [];
		}

		const quoted = [...line.matchAll(quotedPath)].map(([, path = '']) => path);
		const before = line.slice(0, found.index).match(plainPath)?.slice(-1);
		const plain = pathBehind.exec(line)?.slice(1) ?? before ?? [];
		const to = writing.test(line) ? ('write' as const) : ('read' as const);
		return (quoted.length === 0 ? plain : quoted).map(path => ({path: normalize(path), to}));
	});
	const byKey = new Map(denied.map(one => [`${one.to} ${one.path}`, one]));
	return [...byKey.values()].slice(-mostDenied);
};

const text = z.string().optional().catch(undefined);
const outputSchema = z.object({
	content: z
		.array(
			z
				.object({content: z.object({text: z.string()})})
				.optional()
				.catch(undefined),
		)
		.optional()
		.catch(undefined),
	rawOutput: z
		.union([
			z.string(),
			z.object({output: text, stdout: text, stderr: text, aggregated_output: text}),
		])
		.optional()
		.catch(undefined),
});

/** Returns the output of a tool in an update of its call; vendors put it in different places. */
export const outputIn = (news: unknown): string => {
	const {content = [], rawOutput = ''} = outputSchema.safeParse(news).data ?? {};
	const raw = typeof rawOutput === 'string' ? [rawOutput] : Object.values(rawOutput);
	return [...content.map(part => part?.content.text), ...raw].filter(Boolean).join('\n');
};
