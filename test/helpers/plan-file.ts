import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {stringify} from 'yaml';
import {configure, type Project} from './project.ts';
import {temporaryFolder} from './repository.ts';

/** An agent of a plan file; only the relevant keys need to be given. */
export type PlannedAgent = {
	readonly subtask: string;
	readonly agent:
		| {
				readonly protocol: 'text' | 'acp';
				readonly command: readonly string[];
				readonly reply?: 'stdin';
				readonly tools?: 'http';
				readonly env?: Readonly<Record<string, string>>;
		  }
		| {
				readonly extends: string;
				readonly command?: readonly string[];
				readonly env?: Readonly<Record<string, string>>;
		  };
	readonly scope: {readonly allowed: readonly string[]; readonly forbidden?: readonly string[]};
	readonly after?: readonly string[];
	readonly resume?: 'accepted' | 'completed';
	readonly behavior?: string;
	readonly inputs?: readonly string[];
	readonly from?: string;
	readonly uncommitted?: true;
};

/** A plan file as people write it, without the keys that every plan has. */
export type PlanParts = {
	readonly agents: readonly (
		| PlannedAgent
		| (Omit<PlannedAgent, 'agent'> &
				({readonly agent: string} | {readonly best_of: readonly string[]}))
	)[];
	readonly target?: string;
	readonly setup?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly copy?: readonly (
		| string
		| {readonly from: string; readonly set: Readonly<Record<string, string>>}
	)[];
	readonly verify?: readonly string[];
	readonly verify_network?: 'own' | 'host';
	readonly verify_needs?: readonly number[];
	readonly check?: readonly string[];
	readonly allow?: {
		readonly read?: readonly string[];
		readonly write?: readonly string[];
		readonly hosts?: readonly string[];
	};
	readonly supervision?: 'supervised' | 'semi-autonomous';
	readonly resume?: 'accepted' | 'completed';
	readonly merge?: 'squash' | 'per-agent';
};

/** Returns an agent that runs a program of `fixtures/agents` and may write below `src`. */
export const agent = (
	program: string,
	words: readonly string[] = [],
	more: Partial<Omit<PlannedAgent, 'agent'>> & {readonly reply?: 'stdin'} = {},
): PlannedAgent => {
	const {reply, ...parts} = more;
	return {
		subtask: `Do what ${program} does with the files it is given`,
		scope: {allowed: ['src/**']},
		...parts,
		agent: {
			protocol: 'text',
			command: [join(agents, program), ...words],
			...(reply === undefined ? {} : {reply}),
		},
	};
};

/** Returns an ACP agent that runs a program of `fixtures/agents/acp` and may write below `src`. */
export const overAcp = (program: string, ...words: readonly string[]): PlannedAgent => ({
	subtask: `Do what ${program} does`,
	scope: {allowed: ['src/**']},
	agent: {protocol: 'acp', command: [process.execPath, join(agents, 'acp', program), ...words]},
});

/** Adds a program of `fixtures/agents` to the config, with its environment. */
export const nameProgram = (
	project: Project,
	name: string,
	program: string,
	words: readonly string[] = [],
): void => {
	const command = [join(agents, program), ...words];
	const profiles = {[name]: {protocol: 'text', command, env: {KEPT: 'secret'}}};
	configure(project, {agents: profiles});
};

/** Returns an ACP agent that plays a scene and may write below `src`. */
export const scripted = (
	scene: Readonly<Record<string, unknown>>,
	more: Partial<Omit<PlannedAgent, 'agent'>> = {},
): PlannedAgent => ({
	subtask: 'Play the scene',
	scope: {allowed: ['src/**']},
	...more,
	agent: {protocol: 'acp', command: sceneCommand(scene)},
});

/** Returns the command that plays a scene. */
export const sceneCommand = (scene: Readonly<Record<string, unknown>>): readonly string[] => {
	const file = join(temporaryFolder(), 'scene.yaml');
	writeFileSync(file, stringify(scene));
	return [process.execPath, program, 'scripted-agent', file];
};

const program = resolve(import.meta.dirname, '../../bin/delegate-tui.cjs');

const agents = resolve(import.meta.dirname, '../../fixtures/agents');

/** Writes a plan file beside the repository and returns its path. */
export const writePlan = ({aside}: Project, parts: PlanParts): string => {
	const path = join(aside, 'plan.yaml');
	writeFileSync(path, stringify({version: 1, task: 'Play a story', ...parts}));
	return path;
};
