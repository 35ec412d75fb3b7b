import type {AgentVendor} from '../../src/events/plan.ts';
import {agentVendors} from '../../src/events/vendors.ts';

/** What a real program needs to meet a model on loopback instead of its own. */
export type Setting = {
	/** What a person who is logged in would have in their environment. */
	readonly environment: Readonly<Record<string, string>>;
	/** What they would have in their home, with rules that allow all that can be allowed. */
	readonly home: Readonly<Record<string, string>>;
};

/** The vendors of agents that are tried. */
export const vendors: readonly AgentVendor[] = agentVendors;

/** Returns what an agent of this vendor needs, with a model server at this address; only Claude Code treats a subscription there as anything but a key. */
export const settingFor = (vendor: AgentVendor, url: string, isSubscribed = false): Setting => {
	switch (vendor) {
		case 'claude':
			return {
				environment: {
					ANTHROPIC_BASE_URL: url,
					[isSubscribed ? 'CLAUDE_CODE_OAUTH_TOKEN' : 'ANTHROPIC_API_KEY']: key,
				},
				home: {'.claude/settings.json': JSON.stringify(claudeSettings)},
			};
		case 'codex':
			return {
				environment: {LOOPBACK_KEY: key},
				home: {'.codex/config.toml': codexConfig(url), '.codex/rules/mine.rules': codexRules},
			};
		case 'gemini':
			return {
				environment: {GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url},
				home: {
					'.gemini/settings.json': JSON.stringify(geminiSettings),
					'.gemini/policies/mine.toml': geminiPolicy,
				},
			};
		case 'opencode':
			return {
				environment: {},
				home: {'.config/opencode/opencode.json': JSON.stringify(opencodeConfig(url))},
			};
		case 'qwen':
			return {
				environment: {
					OPENAI_API_KEY: key,
					OPENAI_BASE_URL: `${url}/v1`,
					OPENAI_MODEL: 'loopback',
				},
				home: {'.qwen/settings.json': JSON.stringify({tools: {approvalMode: 'yolo'}})},
			};
		case 'copilot':
			return {
				environment: {
					COPILOT_OFFLINE: 'true',
					COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
					COPILOT_PROVIDER_API_KEY: key,
					COPILOT_MODEL: 'gpt-4.1',
				},
				home: {},
			};
	}
};

/** Nobody checks it. */
const key = 'sk-loopback';

const claudeSettings = {
	permissions: {allow: ['Bash', 'Edit', 'Write'], defaultMode: 'acceptEdits'},
};

const codexRules = 'prefix_rule(pattern=["touch"], decision="allow")\n';

/** The model is one that it knows, since its tools depend on that, and one that calls them one by one. */
const codexConfig = (url: string): string => `model = "gpt-5.5"
model_provider = "loopback"
sandbox_mode = "danger-full-access"
approval_policy = "never"

[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
env_key = "LOOPBACK_KEY"
wire_api = "responses"
`;

/** With a model of its own choice it would ask another model first which one to take. */
const geminiSettings = {
	model: {name: 'gemini-2.5-pro'},
	security: {auth: {selectedType: 'gemini-api-key'}},
	privacy: {usageStatisticsEnabled: false},
	general: {defaultApprovalMode: 'auto_edit'},
	tools: {allowed: ['write_file', 'run_shell_command']},
};

const geminiPolicy = `[[rule]]
toolName = ["write_file", "run_shell_command"]
decision = "allow"
priority = 999
`;

const opencodeConfig = (url: string) => ({
	model: 'loopback/loopback',
	small_model: 'loopback/loopback',
	agent: {build: {permission: {edit: 'allow', bash: 'allow', '*': 'allow'}}},
	provider: {
		loopback: {
			npm: '@ai-sdk/openai-compatible',
			options: {baseURL: `${url}/v1`, apiKey: key},
			models: {loopback: {tool_call: true, limit: {context: 100_000, output: 10_000}}},
		},
	},
});
