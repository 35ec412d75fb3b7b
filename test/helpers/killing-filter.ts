import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {script, temporaryFolder} from './repository.ts';

/** A git filter that passes each file through, and kills its git at a chosen file. */
export type KillingFilter = {
	/** Command for the git setting. */
	readonly command: string;
	/** Kills the git that writes the file of this number from now on, counted from 1, once. */
	readonly killAt: (file: number) => void;
};

/** Makes such a filter; unlike a kill after some time it strikes between the same two files on each machine. */
export const makeKillingFilter = (): KillingFilter => {
	const folder = temporaryFolder();
	const [command, left] = [join(folder, 'filter'), join(folder, 'left')];
	script(
		command,
		`if read -r left 2>/dev/null <${left}; then
	if [ "$left" = 1 ]; then
		rm ${left}
		kill -9 $PPID
		exit 1
	fi
	echo $((left - 1)) >${left}
fi
exec cat`,
	);
	return {command, killAt: file => writeFileSync(left, `${file}\n`)};
};
