import {basename} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {profiles} from '../../../src/agents/profiles/profiles.ts';
import {vendors} from '../../../src/events/vendors.ts';
import {toolServerCommand} from '../../../src/tools/access.ts';
import {markedProcesses} from '../../../test/helpers/marked-processes.ts';
import {
	answer,
	asksThenCompletes,
	completed,
	completes,
	type Incident,
	isInView,
	playing,
	questionIn,
	report,
	type Scene,
	saidBy,
} from './incident.ts';

const toolsDie: Incident = {
	title: 'our server of tools is killed in a turn',
	play: () => {
		const told = Promise.withResolvers<'I wait.'>();
		return {
			model: asksThenCompletes(() => told.promise),
			person: async scene => {
				const {id} = await questionIn(scene.watch);
				for (const pid of toolServers(scene)) {
					process.kill(pid, 'SIGKILL');
				}

				const wasTold = await isInView(scene, 'tools has ended');
				told.resolve('I wait.');
				await answer(scene, id, '80');
				await completed(scene);
				return `${wasTold ? 'its end is told' : 'it was started again at once'}; the next turn reports by ${saidBy(scene)}`;
			},
		};
	},
};

/** Returns the ids of our servers of tools. */
const toolServers = ({folder}: Scene): readonly number[] =>
	markedProcesses(`DELEGATE_SESSION=${basename(folder.path)}`)
		.filter(({command}) => command.endsWith(toolServerCommand))
		.map(({pid}) => pid);

const toolsLate: Incident = {
	title: 'our server of tools comes five seconds late',
	play: () => ({
		model: playing(
			() => [completes],
			() => report,
		),
		person: async scene => {
			let late = toolServers(scene);
			while (late.length === 0) {
				await wait(10);
				late = toolServers(scene);
			}

			const tell = (signal: 'SIGSTOP' | 'SIGCONT') => late.every(pid => process.kill(pid, signal));
			tell('SIGSTOP');
			await wait(5000);
			tell('SIGCONT');
			await completed(scene);
			return `the first turn reports by ${saidBy(scene)}`;
		},
	}),
};

const ownServerEnds: Incident = {
	title: 'a server of the person’s own that ends at once',
	options: () => ({subtask: {mcp_servers: [{name: 'docs', command: ['sh', '-c', 'exit 3']}]}}),
	play: () => {
		const told = Promise.withResolvers<void>();
		const completing = playing(
			() => [completes],
			() => report,
		);
		return {
			model: async asked => {
				await told.promise;
				return completing(asked);
			},
			person: async scene => {
				await scene.watch.until('its turn', ({events}) =>
					events.find(({kind}) => kind === 'turn.started'),
				);
				const isTold = await isInView(scene, 'server docs does not run');
				told.resolve();
				await completed(scene);
				return `${isTold ? 'is named in its view' : 'nobody is told'}; done`;
			},
		};
	},
};

const overHttp: Incident = {
	title: 'our tools by HTTP alone, as an agent that is not known',
	options: vendor => ({
		config: {allow: {read: ['~/.codex/config.toml', '~/.config/opencode/opencode.json']}},
		subtask: {
			agent: {protocol: 'acp', command: profiles[vendor].acp.command, tools: 'http'},
			mode: vendors[vendor].askingModes[0],
		},
	}),
	play: () => ({
		model: playing(
			() => [completes],
			() => report,
		),
		person: async scene => {
			const allowed = await completed(scene);
			return `reports by ${saidBy(scene)}${allowed === 0 ? '' : ', with leave'}`;
		},
	}),
};

export const toolIncidents: readonly Incident[] = [toolsDie, toolsLate, ownServerEnds, overHttp];
