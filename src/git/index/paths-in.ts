import {decodePath} from '../../lib/text/byte-path.ts';

/** Bytes of an entry before its object's id: times, device, owner, size. */
const statBytes = 40;

/** The rest of an entry before its path: the length of the path and some marks. */
const flagBytes = 2;

/** The mark of an entry that has two bytes of marks more. */
const extended = 0x4000;

/** In the fourth version a few bytes can make each path as long as the one before it: what no index of a real worktree comes to is read no further. */
const mostBytes = 64 * 1024 ** 2;

/**
Returns the paths in the bytes of an index; of one that is not as git writes it those before the place where that shows.

An agent may have written it, so no git is asked: what is read here are names, and nothing is believed of them.

@see gitformat-index(5)
@param idBytes 20 in a repository with SHA-1, 32 with SHA-256
*/
export const pathsIn = (bytes: Buffer, idBytes: number): readonly string[] => {
	if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') {
		return [];
	}

	const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
	const paths: string[] = [];
	let path = Buffer.alloc(0);
	let total = 0;
	for (let start = 12; paths.length < count; ) {
		const marks = start + statBytes + idBytes;
		if (marks + flagBytes > bytes.length) {
			break;
		}

		const more = bytes.readUInt16BE(marks) & extended ? flagBytes : 0;
		const shared = version === 4 ? prefix(bytes, marks + flagBytes + more) : undefined;
		const from = shared?.end ?? marks + flagBytes + more;
		const end = bytes.indexOf(0, from);
		if (end === -1) {
			break;
		}

		path = Buffer.concat([
			path.subarray(0, shared === undefined ? 0 : Math.max(0, path.length - shared.dropped)),
			bytes.subarray(from, end),
		]);
		total += path.length;
		if (total > mostBytes) {
			break;
		}

		paths.push(decodePath(path));
		start = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
	}

	return paths;
};

/** In the fourth version a path goes on from the one before it: so many of its last bytes are dropped. */
const prefix = (bytes: Buffer, from: number): {readonly dropped: number; readonly end: number} => {
	let dropped = 0;
	for (let at = from; at < bytes.length; at++) {
		const byte = bytes.readUInt8(at);
		dropped = at === from ? byte & 0x7f : (dropped + 1) * 128 + (byte & 0x7f);
		if ((byte & 0x80) === 0) {
			return {dropped, end: at + 1};
		}
	}

	return {dropped: 0, end: bytes.length};
};
