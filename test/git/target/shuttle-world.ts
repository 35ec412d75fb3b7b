import {chmodSync, rmSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import type {Shuttle} from '../../helpers/kill-points.ts';
import {makeKillingFilter} from '../../helpers/killing-filter.ts';
import {type Files, git, write} from '../../helpers/repository.ts';
import {makeWorld} from '../world.ts';

const many = (content: (number: number) => string): Files =>
	Object.fromEntries(Array.from({length: 12}, (_, n) => [`src/${n}.txt`, content(n)]));

/** A merge of all sorts of changes, in a checkout that holds files of the person's beside it. */
export const makeShuttle = async (): Promise<Shuttle> => {
	const {root, tree, repository, store, base, commitWork} = await makeWorld({
		...many(n => `${n}\n`.repeat(200)),
		'old/gone.txt': 'gone\n',
		'run.sh': '#!/bin/sh\n',
		'.gitignore': '.env\n',
		'.gitattributes': 'src/* filter=killing\n',
	});
	// It slows git down where it writes files too, so that more of the other kills meet it there.
	const {command, killAt} = makeKillingFilter();
	git(root, 'config', 'filter.killing.smudge', command);
	git(root, 'config', 'filter.killing.clean', 'cat');
	write(tree, {...many(n => `new ${n}\n`.repeat(n * 300)), 'new/file.txt': 'new\n'});
	rmSync(join(tree, 'old'), {recursive: true});
	chmodSync(join(tree, 'run.sh'), 0o755);
	symlinkSync('new/file.txt', join(tree, 'link'));
	const to = await commitWork();
	write(root, {'.env': 'SECRET=1\n', 'untracked.txt': 'mine\n'});
	return {root, repository, store, from: base, to, killAt};
};
