import type {Command} from 'commander';
import {asFailure, exitCodes, Failure} from '../../lib/failure.ts';
import {
	bell,
	notificationBytes,
	notificationWay,
	titleBytes,
} from '../../lib/notification-bytes.ts';
import {desktopNotifier, notifyDesktop} from '../../lib/process/desktop-notifier.ts';
import type {Config} from '../config/config.ts';
import {findHere} from '../here.ts';
import {print} from '../output.ts';
import {settleConfig} from '../require-config.ts';

/** Notification of the test. */
const example = {
	title: 'delegate-tui: a question from AGT-001',
	text: 'This is a test. Nothing waits for you.',
	urgent: false,
} as const;

export const addNotify = (program: Command): void => {
	program
		.command('notify')
		.description('try the notifications')
		.option('--test', 'show one in every way that the config allows')
		.action(async ({test}: {test?: boolean}) => {
			if (test !== true) {
				throw new Failure(
					'usage',
					'Notifications are sent by themselves; this command only tests them.',
					{
						hint: 'delegate-tui notify --test',
					},
				);
			}

			const {notify} = await settleConfig(await findHere());
			const tried = [await onDesktop(notify), ...onTerminal(notify)];
			print(
				tried.map(({way, worked, text}) => `${signs[worked]} ${way.padEnd(9)}${text}`).join('\n'),
			);
			process.exitCode = tried.some(({worked}) => worked === 'yes') ? 0 : exitCodes.missing;
		});
};

type Tried = {
	readonly way: 'desktop' | 'terminal' | 'bell' | 'title';
	readonly worked: 'yes' | 'no' | 'off';
	readonly text: string;
};

const signs: Readonly<Record<Tried['worked'], string>> = {yes: '✓', no: '✗', off: '·'};

const turnedOff = 'is turned off in the config';

const onDesktop = async ({desktop}: Config['notify']): Promise<Tried> => {
	if (!desktop) {
		return {way: 'desktop', worked: 'off', text: turnedOff};
	}

	return notifyDesktop(example, process.env).then(
		() => ({way: 'desktop', worked: 'yes', text: `shown by ${desktopNotifier}`}),
		error => ({
			way: 'desktop',
			worked: 'no',
			text: `${desktopNotifier} did not show it: ${firstLine(asFailure(error).message)}`,
		}),
	);
};

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

const onTerminal = ({terminal, bell: rings, title}: Config['notify']): readonly Tried[] => {
	const way = notificationWay(process.env);
	return [
		written(
			'terminal',
			terminal,
			way === undefined ? '' : notificationBytes(way, example, process.env),
			{
				done: `sent as ${way}`,
				unknown: `this terminal is not known to show any (TERM=${process.env.TERM ?? ''})`,
			},
		),
		written('bell', rings, bell, {done: 'rung'}),
		written('title', title, titleBytes('1 waiting · a test of delegate-tui'), {done: 'set'}),
	];
};

const written = (
	way: Tried['way'],
	isOn: boolean,
	bytes: string,
	{done, unknown = ''}: {readonly done: string; readonly unknown?: string},
): Tried => {
	if (!isOn) {
		return {way, worked: 'off', text: turnedOff};
	}

	if (!process.stdout.isTTY) {
		return {way, worked: 'no', text: 'this is not a terminal'};
	}

	if (bytes === '') {
		return {way, worked: 'no', text: unknown};
	}

	process.stdout.write(bytes);
	return {way, worked: 'yes', text: done};
};
