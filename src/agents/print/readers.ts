import type {AgentVendor} from '../../events/plan.ts';
import {readClaude} from './claude.ts';
import {readCodex} from './codex.ts';
import {readGemini} from './gemini.ts';
import {readOpencode} from './opencode.ts';
import type {ReadLine} from './stream-event.ts';

/** How each vendor’s JSON stream is read. */
export const readers: Readonly<Record<AgentVendor, ReadLine>> = {
	claude: readClaude,
	codex: readCodex,
	gemini: readGemini,
	opencode: readOpencode,
};
