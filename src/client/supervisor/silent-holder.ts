import {Failure} from '../../lib/failure.ts';
import {whoHasOpen} from '../../lib/process/open-files.ts';
import {readProcess} from '../../lib/process/process-table.ts';

/**
Says which process holds a repository's lock and does not answer, and what can be done about it.

To end it costs nothing but its time: what it has written stands, and whoever comes next goes on with that.
*/
export const silentHolder = ({lock}: {readonly lock: string}): Failure => {
	const holder = whoHasOpen([lock]);
	if (holder === undefined) {
		return new Failure(
			'internal',
			`Another process holds ${lock}, and does not answer. It can’t be seen from here.`,
			{hint: 'it may run in a container, or for another user; decide from there, or end it there'},
		);
	}

	const {pid, command} = holder;
	const end = `kill ${pid} ends it; its work is kept, and the next command goes on with the session`;
	return readProcess(pid)?.isStopped
		? new Failure(
				'internal',
				`This repository is held by process ${pid} (${command}), which was stopped as by Ctrl-Z.`,
				{hint: `kill -CONT ${pid} lets it go on; or ${end}`},
			)
		: new Failure(
				'internal',
				`This repository is held by process ${pid} (${command}), which does not answer.`,
				{hint: `if it stays so: ${end}`},
			);
};
