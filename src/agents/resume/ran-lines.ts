import type {Ran} from '../../events/reply.ts';
import {oneLine} from '../one-line.ts';

/** Returns what came of a command that a person had run for an agent, as lines of ours. */
export const ranLines = ({command, code, tail}: Ran): readonly string[] => [
	`Resolution: the person had \`${oneLine(command)}\` run in your worktree; ${code === null ? 'it was ended by a signal' : `exit code ${code}`}`,
	...(tail.length === 0 ? [] : [`Its output ended: ${tail.map(oneLine).join(' / ')}`]),
];
