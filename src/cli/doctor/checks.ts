import {checkAgents} from './agents.ts';
import {checkBegunMove} from './begun-move.ts';
import type {Check, CheckContext, Finding} from './check.ts';
import {checkConfig} from './config.ts';
import {checkDisk} from './disk.ts';
import {checkEditor} from './editor.ts';
import {checkGit} from './git.ts';
import {checkNode} from './node.ts';
import {checkNotifier} from './notifier.ts';
import {checkOwnSettings} from './own-settings.ts';
import {checkProcesses} from './processes.ts';
import {checkQuestions} from './questions.ts';
import {checkSandbox} from './sandbox.ts';
import {checkSessions} from './sessions.ts';
import {checkStateFolder} from './state-folder.ts';

/** All that the doctor looks at, in the order in which it is told; a new check is one file and one line here. */
const checks: readonly Check[] = [
	checkGit,
	checkNode,
	checkStateFolder,
	checkDisk,
	checkProcesses,
	checkSandbox,
	checkConfig,
	checkEditor,
	checkNotifier,
	checkQuestions,
	checkAgents,
	checkOwnSettings,
	checkSessions,
	checkBegunMove,
];

/** Returns what all checks found. */
export const examine = async (context: CheckContext): Promise<readonly Finding[]> =>
	(await Promise.all(checks.map(check => check(context)))).flat();
