import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import type {McpServerStdio} from '@agentclientprotocol/sdk';
import {execa} from 'execa';
import type {Client, Leave, ToolCall} from './client.ts';
import {callTool} from './tool-client.ts';

/** Where an action is done, and under which name it is told. */
export type ActionContext = {
	readonly directory: string;
	readonly id: string;
	readonly client: Client;
	/** Servers of tools that it was handed. */
	readonly tools: readonly McpServerStdio[];
};

type File = {readonly path: string; readonly text: string};

/** Writes a file, if it may. */
export const write = (context: ActionContext, {path, text}: File): Promise<Leave> =>
	replaceText(context, `Write ${path}`, path, () => text);

/** Replaces a text in a file, if it may; a text that is replaced already stays as it is. */
export const edit = (
	context: ActionContext,
	{path, find, replace}: {readonly path: string; readonly find: string; readonly replace: string},
): Promise<Leave> =>
	replaceText(context, `Edit ${path}`, path, old => (old ?? '').replace(find, () => replace));

/** Writes a file without a word to anybody, as a shell command could. */
export const sneak = async ({directory}: ActionContext, {path, text}: File): Promise<void> =>
	put(resolve(directory, path), text);

/** Runs a shell command, if it may. */
export const run = async (context: ActionContext, command: string): Promise<Leave> => {
	const {client, directory} = context;
	const action: ToolCall = {id: context.id, title: command, kind: 'execute', input: {command}};
	return carryOut(client, action, async () => {
		const {failed} = await execa({
			cwd: directory,
			shell: '/bin/sh',
			reject: false,
			stdin: 'ignore',
		})`${command}`;
		return !failed;
	});
};

/** Calls a tool of the first server that it was handed, if it may; returns what the tool said as well. */
export const call = async (
	context: ActionContext,
	{name, fields}: {readonly name: string; readonly fields: Readonly<Record<string, unknown>>},
): Promise<{readonly leave: Leave; readonly told: string}> => {
	const {client, directory, id} = context;
	const [server] = context.tools;
	if (server === undefined) {
		return {leave: 'allowed', told: ''};
	}

	const action: ToolCall = {id, title: name, kind: 'other', input: fields, server: server.name};
	let told = '';
	const leave = await carryOut(client, action, async () => {
		const result = await callTool({server, directory, name, fields, signal: client.signal});
		told = result.text;
		return !result.isError;
	});
	return {leave, told};
};

const replaceText = async (
	{client, directory, id}: ActionContext,
	title: string,
	path: string,
	change: (old: string | null) => string,
): Promise<Leave> => {
	const absolute = resolve(directory, path);
	const oldText = await readFile(absolute, 'utf8').catch(() => null);
	const newText = change(oldText);
	const input = {file_path: absolute};
	const action: ToolCall = {id, title, kind: 'edit', input, path: absolute, oldText, newText};
	return carryOut(client, action, async () => {
		await put(absolute, newText);
		return true;
	});
};

const carryOut = async (
	client: Client,
	action: ToolCall,
	act: () => Promise<boolean>,
): Promise<Leave> => {
	const leave = await client.askLeave(action);
	if (leave !== 'allowed') {
		await client.mark(action, 'failed');
		return leave;
	}

	await client.mark(action, 'in_progress');
	await client.mark(action, (await act()) ? 'completed' : 'failed');
	return leave;
};

const put = async (path: string, text: string): Promise<void> => {
	await mkdir(dirname(path), {recursive: true});
	await writeFile(path, text);
};
