import type {IncomingMessage} from 'node:http';

/** Returns the body of a request as text; nothing, as soon as it is longer than the limit in bytes. */
export const readBody = async (
	request: IncomingMessage,
	limit: number,
): Promise<string | undefined> => {
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
