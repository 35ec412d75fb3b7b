import type {McpServerStdio, StopReason} from '@agentclientprotocol/sdk';
import {type ActionContext, call, edit, run, sneak, write} from './actions.ts';
import type {Client, Leave} from './client.ts';
import type {Memory} from './memory.ts';
import type {Scene, Step} from './scene.ts';
import {answersIn, endsTurn, filledIn, isTurnToEnd, wordsOf} from './words.ts';

/** What one prompt is played with. */
export type Performance = {
	readonly scene: Scene;
	readonly directory: string;
	/** Servers of tools that it was handed. */
	readonly tools: readonly McpServerStdio[];
	/** Tells one conversation's tools from another's. */
	readonly name: string;
	readonly client: Client;
	/** Factor by which waits are stretched. */
	readonly pace: number;
	/** Keeps how far the scene has come; what is kept has happened. */
	readonly remember: (memory: Memory) => Promise<void>;
	/** Ends the process, with a last word on stderr. */
	readonly crash: (code: number, complaint: string) => never;
};

/** Plays a scene from where it stands until it waits for words, and returns why it stopped. */
export const play = async (
	performance: Performance,
	memory: Memory,
	prompt: string,
): Promise<StopReason> => {
	const {scene, client, name, remember} = performance;
	const answers = {...memory.answers, ...answersIn(prompt)};
	const interlude = scene.interludes?.find(({says}) => prompt.includes(says));
	if (interlude !== undefined) {
		const {position} = memory;
		const keep: Passage['keep'] = (_, answers) => remember({position, answers});
		return playSteps(performance, {...interlude, from: 0, answers, name: `${name}-again`, keep});
	}

	const last = scene.steps.findLast(({verb}) => verb === 'complete');
	if (memory.position >= scene.steps.length && last !== undefined) {
		await client.say(wordsOf(last) ?? '');
		return 'end_turn';
	}

	const keep: Passage['keep'] = (position, answers) => remember({position, answers});
	return playSteps(performance, {
		steps: scene.steps,
		from: memory.position,
		answers,
		name,
		keep,
	});
};

/** Steps that are played one after the other. */
type Passage = {
	readonly steps: readonly Step[];
	readonly from: number;
	readonly answers: Memory['answers'];
	/** Tells its tools from those of other passages. */
	readonly name: string;
	/** Keeps how many steps are done, and the answers that are known by then. */
	readonly keep: (done: number, answers: Memory['answers']) => Promise<void>;
};

const playSteps = async (
	performance: Performance,
	{steps, from, name, keep, ...passage}: Passage,
): Promise<StopReason> => {
	const {scene, client} = performance;
	let {answers} = passage;
	for (let position = from; position < steps.length; position++) {
		const step = filledIn(steps[position], answers);
		if (step === undefined) {
			break;
		}

		if (step.verb === 'crash') {
			await keep(position + 1, answers);
			performance.crash(step.does.code, step.does.complaint);
		}

		const {leave, told} = await perform(performance, step, `${name}-${position}`);
		answers = {...answers, ...answersIn(told)};
		if (leave === 'cancelled' || client.isCancelled()) {
			return 'cancelled';
		}

		await keep(position + 1, answers);
		if (leave === 'refused' && scene.onRefusal !== 'go-on') {
			return scene.onRefusal === 'cancel' ? 'cancelled' : 'end_turn';
		}

		if (endsTurn(step) || isTurnToEnd(told)) {
			break;
		}
	}

	return 'end_turn';
};

/** Does one step, and returns what a tool said in it. */
const perform = async (
	performance: Performance,
	step: Step,
	id: string,
): Promise<{readonly leave: Leave; readonly told: string}> => {
	const {client, directory, tools} = performance;
	const context = {client, directory, id, tools};
	return step.verb === 'tool'
		? call(context, step.does)
		: {leave: await act(performance, step, context), told: ''};
};

/** Does a step that no tool is for; what needs no leave is as good as allowed. */
const act = async (
	{client, pace}: Performance,
	step: Exclude<Step, {verb: 'tool'}>,
	context: ActionContext,
): Promise<Leave> => {
	switch (step.verb) {
		case 'think':
			await client.update({
				sessionUpdate: 'agent_thought_chunk',
				content: {type: 'text', text: step.does},
			});
			return 'allowed';
		case 'plan':
			await client.update({
				sessionUpdate: 'plan',
				entries: step.does.map(entry => ({...entry, priority: 'medium'})),
			});
			return 'allowed';
		case 'write':
			return write(context, step.does);
		case 'edit':
			return edit(context, step.does);
		case 'run':
			return run(context, step.does);
		case 'leave-scope':
			if (step.does.ask) {
				return write(context, step.does);
			}

			await sneak(context, step.does);
			return 'allowed';
		case 'wait':
			await client.pause(step.does * 1000 * pace);
			return 'allowed';
		case 'flood':
			for (let line = 0; line < step.does.lines && !client.isCancelled(); line++) {
				await client.say(`${step.does.line}\n`);
			}

			return 'allowed';
		default:
			await client.say(wordsOf(step) ?? '');
			return 'allowed';
	}
};
