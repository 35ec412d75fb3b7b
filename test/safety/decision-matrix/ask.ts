import {execa} from 'execa';
import {forEachConcurrent} from '../../helpers/for-each-concurrent.ts';
import {program} from '../../helpers/project.ts';
import {layerOf, type User, type UserProject} from './user-project.ts';

/** A place that an agent asks from. */
export type Place = {
	readonly name: string;
	/** Words that start the agent there. */
	readonly agent: readonly string[];
	/** Words by which it then goes somewhere else. */
	readonly further: readonly string[];
};

/** Returns the places that this machine allows: the supervisor's own namespace, one that the supervisor made for an agent, and one that the agent makes inside of that. */
export const placesOf = async (user: User): Promise<readonly Place[]> => {
	const containment = await layerOf(user);
	const host = {name: 'host', agent: [], further: []};
	return containment.length === 0
		? [host]
		: [
				host,
				{name: 'its own', agent: containment, further: []},
				{name: 'nested', agent: containment, further: user.nested},
			];
};

/** What an agent asked for, and what came of it. */
export type Asked = {
	readonly of: string;
	readonly code: number | undefined;
	readonly stderr: string;
};

type Matrix = {
	readonly project: UserProject;
	readonly user: User;
	readonly session: string;
	/** State folders by what they are. */
	readonly states: Readonly<Record<string, string>>;
	readonly places: readonly Place[];
	readonly marks: readonly ('kept' | 'cleared')[];
	readonly commands: readonly (readonly string[])[];
	/** Asks one in so many of them, from that one on. */
	readonly sample: {readonly oneIn: number; readonly from: number};
};

/** Asks for each command from each place with each state folder, with the session's mark and without, as far as they are in the sample. */
export const askAll = async (matrix: Matrix): Promise<readonly Asked[]> => {
	const asked: Asked[] = [];
	const {oneIn, from} = matrix.sample;
	const cases = casesOf(matrix).filter((_, index) => index % oneIn === from % oneIn);
	await forEachConcurrent(cases, lanes, async one => {
		asked.push(await ask(matrix, one));
	});
	return asked;
};

const lanes = 4;

type Case = {
	readonly state: readonly [name: string, folder: string];
	readonly place: Place;
	readonly mark: 'kept' | 'cleared';
	readonly command: readonly string[];
};

const casesOf = ({states, places, marks, commands}: Matrix): readonly Case[] =>
	Object.entries(states).flatMap(state =>
		places.flatMap(place =>
			marks.flatMap(mark => commands.map(command => ({state, place, mark, command}))),
		),
	);

/** The shell stays the parent of what it starts, and carries the mark. */
const shell = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

const ask = async (
	{project, user, session}: Matrix,
	{state: [name, folder], place, mark, command}: Case,
): Promise<Asked> => {
	const env = {...project.environment, DELEGATE_TUI_STATE: folder};
	const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
	const [first = '', ...words] = [
		...user.prefix,
		...place.agent,
		...shell,
		...(mark === 'cleared' ? ['env', '-i', ...variables] : []),
		...place.further,
		...[process.execPath, program, ...command],
	];
	const {exitCode, stderr} = await execa(first, words, {
		cwd: project.root,
		env: {...env, DELEGATE_SESSION: session},
		extendEnv: false,
		reject: false,
		stdin: 'ignore',
	});
	const verb = command.filter(word => /^(?:--)?[a-z-]+$/.test(word) && word !== '--yes');
	const of = `${verb.join(' ')}, state ${name}, namespace ${place.name}, mark ${mark}`;
	return {of, code: exitCode, stderr};
};
