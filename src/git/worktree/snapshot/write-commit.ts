import {createHash, randomUUID} from 'node:crypto';
import {mkdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {deflateSync} from 'node:zlib';
import {supervisorIdentity} from '../../process/sealed.ts';
import {type CommitParts, gitTime} from '../../store/store.ts';
import {type NewObjectsLocation, storeFailure} from './new-objects-folder.ts';

/**
Writes a commit of the supervisor's among new objects, and returns its id; byte for byte what `git commit-tree` would write.

No git is started for it, since each start costs a snapshot a tenth of its time. Nor is it asked whether it agrees: the message is text of ours, the time a time, and no parent is given twice.

@throws `Failure` that names the cause when it can't be written.
*/
export const writeCommit = async (
	{newObjects}: NewObjectsLocation,
	{tree, parents, message, at}: Omit<CommitParts, 'identity'>,
): Promise<string> => {
	const {name, email} = supervisorIdentity;
	const who = `${name} <${email}> ${gitTime(at)}`;
	const content = [
		`tree ${tree}`,
		...parents.map(parent => `parent ${parent}`),
		`author ${who}`,
		`committer ${who}`,
		'',
		message,
	].join('\n');
	return writeObject(newObjects, 'commit', Buffer.from(content), tree.length);
};

/** A loose object is its kind, its length and its content, compressed, below the hash of all that. */
const writeObject = async (
	folder: string,
	kind: string,
	content: Buffer,
	idLength: number,
): Promise<string> => {
	const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
	const id = createHash(idLength === 40 ? 'sha1' : 'sha256')
		.update(bytes)
		.digest('hex');
	const fanOut = join(folder, id.slice(0, 2));
	// Half of it must not have its name, which is that of a whole one.
	const making = join(fanOut, `tmp_obj_${randomUUID()}`);
	try {
		await mkdir(fanOut, {recursive: true});
		await writeFile(making, deflateSync(bytes), {mode: 0o444});
		await rename(making, join(fanOut, id.slice(2)));
		return id;
	} catch (error) {
		throw storeFailure(error);
	}
};
