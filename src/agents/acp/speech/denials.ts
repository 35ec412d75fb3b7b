import {normalize} from 'node:path/posix';
import {z} from 'zod';

/** A path that a program could not reach, by what it printed. */
export type Denied = {readonly path: string; readonly to: 'read' | 'write'};

/** How programs word the errors that a path can be denied with, in the English that agents are started with. */
const reason =
	/read-only file system|permission denied|operation not permitted|no such file or directory|connection refused|\b(?:EROFS|EACCES|EPERM|ENOENT|ECONNREFUSED)\b/i;
const writing =
	/read-only file system|\bEROFS\b|\bcannot (?:create|touch|remove|move)\b|\bmkdir\b/i;
const quotedPath = /['"\u2018\u201c`](\/[^'"\u2019\u201d`]+)['"\u2019\u201d`]/g;
/** As Node.js words what it can't connect to. */
const pathBehind = /\bconnect E[A-Z]+ (\/[^\s:'"]+)/;
/** Behind a blank or a colon, up to the next. */
const plainPath = /(?<=^|[\s:])\/[^\s:'"]+/g;

/** What of an output is looked at, in characters: errors stand at its end. */
const mostText = 64 * 1024;
const longestLine = 2000;
const mostDenied = 20;

/**
Returns the absolute paths that were denied, by the output of a tool.

In a line with such an error they are what stands in quotes, or else the socket that Node.js names behind the error, or the last path before it; a shell begins the line with its own. Whether a path was denied at all is for whoever knows what the program could reach.
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

/** Returns what a tool printed, by news of its call; vendors put it in different places. */
export const outputIn = (news: unknown): string => {
	const {content = [], rawOutput = ''} = outputSchema.safeParse(news).data ?? {};
	const raw = typeof rawOutput === 'string' ? [rawOutput] : Object.values(rawOutput);
	return [...content.map(part => part?.content.text), ...raw].filter(Boolean).join('\n');
};
