import {execFileSync} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {script, temporaryFolder} from '../helpers/repository.ts';

/** A git that is killed once. */
export type MortalGit = {
	/** The folder to put in front of a PATH. */
	readonly folder: string;
	/** Whether a git was told to die. */
	readonly isDead: () => boolean;
};

/** Makes a git that kills itself the first time it is asked for a command, so long after it begins. */
export const makeMortalGit = (command: string, afterMs: number): MortalGit => {
	const folder = temporaryFolder();
	const [kill, dead] = [join(folder, 'kill'), join(folder, 'dead')];
	const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
	writeFileSync(kill, '');
	script(
		join(folder, 'git'),
		`case " $* " in
*" ${command} "*)
	if mv ${kill} ${dead} 2>/dev/null; then
		{ sleep ${(afterMs / 1000).toFixed(4)}; kill -9 $$; } </dev/null >/dev/null 2>&1 &
	fi
	;;
esac
exec ${real} "$@"`,
	);
	return {folder, isDead: () => existsSync(dead)};
};
