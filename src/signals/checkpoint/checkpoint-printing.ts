import {printTable} from '../../lib/text/markdown-table.ts';
import type {Checkpoint} from './checkpoint-reading.ts';
import type {Tests} from './checkpoint-tests.ts';

/** The line above and below the title, and at the end. */
export const RULE = '═══════════════════════════════════════';

/** Writes a checkpoint as its banner. */
export const printCheckpoint = ({
	agent,
	status,
	progress,
	changes,
	tests,
	blockers,
	questions,
	request,
}: Checkpoint): string => {
	const section = (name: string, body: string | undefined): string =>
		body === undefined ? '' : `\n## ${name}\n${body}\n`;
	const head = status === undefined ? '' : `Status: ${status}\n`;
	const percent = progress === undefined ? '' : `Progress: ${progress}%\n`;
	const table = printTable([
		['File', 'Action', 'Description'],
		...changes.map(({file, action, description}) => [file, action, description]),
	]);
	return [
		`${RULE}\nAGENT CHECKPOINT: [${agent ?? ''}]\n${RULE}\n\n${head}${percent}`,
		section('Changes Made', changes.length === 0 ? 'None' : table.trimEnd()),
		section('Tests Run', tests && printTests(tests)),
		section('Blockers', blockers ?? 'None'),
		section('Questions for Parent', questions.map(each => `- ${each}`).join('\n') || 'None'),
		section('Request', request),
		`\n${RULE}\n`,
	].join('');
};

const printTests = ({executed, result, failed}: Tests): string =>
	[
		`- Executed: ${executed ? 'Y' : 'N'}`,
		...(result === undefined ? [] : [`- Result: ${result}`]),
		`- Failed: ${failed.join(', ') || 'None'}`,
	].join('\n');
