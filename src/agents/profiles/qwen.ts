import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {enumerated} from '../../lib/text/words.ts';
import {defined} from '../../lib/values.ts';
import {signals} from '../../signals/index.ts';
import {inFolder, type Profile, parentFolders, unlessSet, valueIn} from './profile.ts';

/** Qwen Code, which speaks ACP itself. */
export const qwen: Profile = {
	vendor: 'qwen',
	title: 'Qwen Code',
	acp: {command: ['qwen', '--acp'], package: '@qwen-code/qwen-code', version: '0.24.4'},
	login: 'set OPENAI_API_KEY, and OPENAI_BASE_URL for another service',
	logins: {
		variables: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
		// These files only count if the project is trusted.
		files: ({home}) => inFolder(join(home, '.qwen'), ['oauth_creds.json', '.env']),
		renewals: login => [valueIn(login, 'expiry_date')],
		elsewhere: () => 'its settings, which count where the project is trusted',
	},
	needs: ({home}) => {
		const folder = join(home, '.qwen');
		const seen = ['settings.json', 'QWEN.md', 'extensions', 'skills', 'output-language.md'];
		return {folder, keeps: [join(folder, 'projects')], sees: inFolder(folder, seen)};
	},
	guides: ['QWEN.md', 'AGENTS.md', 'CLAUDE.md'],
	// In bare mode it starts no programs of these files.
	riskyFiles: [],
	beginsWithoutServers: true,
	attach: (conversation, trusted) => ({
		command: ['qwen', ...(trusted ? [] : ['--bare']), '--resume', conversation],
	}),
	launch: ({command, environment, model, trusted, folder, boxed}) => ({
		command: [
			...command,
			...ownTools.flatMap(name => ['--allowed-tools', name]),
			...(trusted ? withheld.flatMap(name => ['--exclude-tools', name]) : ['--bare']),
			...(model === undefined ? [] : ['--model', model]),
		],
		environment: unlessSet(environment, {QWEN_USAGE_STATISTICS_ENABLED: 'false'}),
		// In its default mode a model decides in the person's place.
		mode: 'default',
		...defined({warning: trusted && !boxed ? guideWarning(folder) : undefined}),
	}),
};

/** Returns a warning if the guides that it loads from the folders above its worktree exist: they are for other work, and no setting excludes them. */
const guideWarning = (folder: string): string | undefined => {
	const guides = parentFolders(folder).flatMap(above => inFolder(above, ['QWEN.md', 'AGENTS.md']));
	const found = guides.filter(guide => existsSync(guide));
	return found.length === 0 ? undefined : `It also loads ${enumerated(found)}, above its worktree.`;
};

/** Our tools, which Qwen Code must not ask about: its requests don't identify them. */
const ownTools = signals.flatMap(({tool}) =>
	tool === undefined ? [] : [`mcp__delegate-tui__${tool.name}`],
);

/** Tools that bare mode lacks: subagents, and a mode that waits for a permission that can't be given. */
const withheld = ['agent', 'list_agents', 'enter_plan_mode', 'exit_plan_mode'];
