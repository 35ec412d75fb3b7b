import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {type QuestionHome, questionHome} from '../../../src/control/questions/home.ts';
import {Failure} from '../../../src/lib/failure.ts';
import {repositoryFolder} from '../../../src/supervisor/folder.ts';
import {keepQuestions} from '../../../src/supervisor/questions/keep-questions.ts';
import {ownFolders, ownHome} from '../../../src/supervisor/questions/own-folders.ts';
import {answerFromFile} from '../../../src/supervisor/session.ts';
import type {Questions} from '../../../src/supervisor/world.ts';
import {type Given, working} from '../../helpers/given.ts';
import {subtask} from '../../helpers/plan.ts';
import {temporaryFolder} from '../../helpers/repository.ts';

/** A session in memory whose questions lie in real folders. */
export type QuestionRoom = {
	readonly home: string;
	readonly given: Given;
	/** Folder that holds the worktree of the agent. */
	readonly agentFolder: string;
	/** Makes the folders that an agent has for itself; returns where they lie. */
	readonly own: (agent: string) => Promise<QuestionHome>;
	/** Looks until nothing more follows from what was found. */
	readonly look: () => Promise<void>;
	/** Lets another supervisor come, which knows only the journal. */
	readonly restart: () => Promise<void>;
	readonly put: (place: string, content: string) => void;
	readonly take: (place: string) => void;
	readonly text: (place: string) => string;
	readonly json: (place: string) => Record<string, unknown>;
	readonly has: (place: string) => boolean;
	readonly names: (place: string) => readonly string[];
};

export const makeQuestionRoom = async (
	home = temporaryFolder(),
	agents: readonly string[] = ['AGT-001'],
): Promise<QuestionRoom> => {
	const scope = {allowed: ['src/**'], forbidden: []};
	const given = working(
		agents.map(id => subtask(id, {scope})),
		{
			settings: {quickMs: 300_000, questionsHome: home, parallel: agents.length},
		},
	);
	const folder = repositoryFolder(temporaryFolder(), 'repository').session('DEL-1');
	let told = given.events().length;
	let questions = await open();

	/** What was told by anybody is heard by the files. */
	function catchUp(): void {
		const events = given.events();
		const news = events.slice(told);
		told = events.length;
		questions.add(news);
	}

	async function open(): Promise<Questions> {
		const keeper = keepQuestions({
			session: given.state().session?.session ?? '',
			folder,
			past: given.events().slice(0, told),
			state: given.state,
			append: async bodies => {
				given.tell(...bodies);
				catchUp();
			},
			answer: async (item, text, owner) => {
				await answerFromFile({folder, state: given.state}, {ask}, {item, text, owner});
			},
			onTrouble: (troubles, items) => given.tell({kind: 'machine.questions', troubles, items}),
		});
		onTestFinished(() => keeper.close());
		return keeper;
	}

	const ask = async (command: Parameters<Given['ask']>[0]) => {
		const refusal = given.ask(command);
		if (refusal !== undefined) {
			throw new Failure('refused', refusal);
		}

		catchUp();
		return given.events().at(-1) ?? raise();
	};

	const look = async (): Promise<void> => {
		catchUp();
		await questions.look();
		await questions.look();
	};

	const at = (place: string): string => join(home, place);
	return {
		home,
		given,
		agentFolder: folder.agent('AGT-001').path,
		own: async agent => {
			await ownFolders(questionHome(home), folder, agent);
			return ownHome(folder, agent);
		},
		look,
		restart: async () => {
			catchUp();
			await questions.close();
			questions = await open();
			await questions.look();
		},
		put: (place, content) => writeFileSync(at(place), content),
		take: place => rmSync(at(place)),
		text: place => readFileSync(at(place), 'utf8'),
		json: place => JSON.parse(readFileSync(at(place), 'utf8')),
		has: place => existsSync(at(place)),
		names: place => readdirSync(at(place)).toSorted(),
	};
};

const raise = (): never => {
	throw new Error('Nothing was ever told.');
};
