import type {AgentVendor} from '../../src/events/plan.ts';
import {agentVendors} from '../../src/events/vendors.ts';

/** Configuration with which a real program uses a model on loopback instead of its own. */
export type Setting = {
	/** Environment of a person who is logged in. */
	readonly environment: Readonly<Record<string, string>>;
	/** Files in their home, with rules that allow everything. */
	readonly home: Readonly<Record<string, string>>;
};

/** Vendors of the tried agents. */
export const vendors: readonly AgentVendor[] = agentVendors;

/** Returns the configuration of a vendor's agent, with a model server at a URL; only for Claude Code a subscription differs from a key. */
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

/** A key that no server checks. */
const key = 'sk-loopback';

const claudeSettings = {
	permissions: {allow: ['Bash', 'Edit', 'Write'], defaultMode: 'acceptEdits'},
};

const codexRules = 'prefix_rule(pattern=["touch"], decision="allow")\n';

/** The model must be one that Codex knows, since its tools depend on that, and one that calls them one by one. */
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

/** With automatic model choice it would first ask another model which one to use. */
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
