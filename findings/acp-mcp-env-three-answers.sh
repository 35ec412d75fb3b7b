#!/usr/bin/env bash
# Guess: ACP hands an MCP server over as program, arguments and environment, all final: `{"name": "PASSWORD", "value":
# "pa$$word"}` is what the server finds in PASSWORD. Variables are expanded in an agent's own settings files only.
# What happens: Codex passes each value on as it is. Claude puts variables of its own environment in place of `${NAME}`, in
# arguments too. Gemini does so in the environment alone, also for `$NAME`; a name that isn't set becomes nothing, and a
# backslash before `$` is taken away: `pa$$word` arrives as `pa$`. The session opens, and no one is told.
# Who it hurts: anyone who gives one list of MCP servers to several agents: a password, pattern or template with a dollar in
# it reaches one server whole and another maimed, which then says that the login is wrong.
# What to know: no one way of writing such a value suits all three. Hand it over in a file, and the file's path in the
# environment.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @agentclientprotocol/claude-agent-acp@0.101.0 @agentclientprotocol/codex-acp@2.6.0 \
	@google/gemini-cli@0.61.0
own_home
run_module <<'JS'
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {open, same, sleep} from './acp.mjs';

const values = ['pa$$word', '^a$', 'in $TZ', 'in ${TZ}', 'is $UNSET', 'or ${UNSET:-else}', '\\$TZ'];
const asGiven = Object.fromEntries(values.map(value => [value, value]));
/** What arrives as argument, and as variable. The agents run with TZ=UTC. */
const expected = {
	claude: [
		{...asGiven, 'in ${TZ}': 'in UTC', 'or ${UNSET:-else}': 'or else'},
		{...asGiven, 'in ${TZ}': 'in UTC', 'or ${UNSET:-else}': 'or else'},
	],
	codex: [asGiven, asGiven],
	gemini: [
		asGiven,
		{
			'pa$$word': 'pa$',
			'^a$': '^a$',
			'in $TZ': 'in UTC',
			'in ${TZ}': 'in UTC',
			'is $UNSET': 'is ',
			'or ${UNSET:-else}': 'or else',
			'\\$TZ': '$TZ',
		},
	],
};

// It writes down what it was started with, and ends; the session opens all the same.
writeFileSync(
	'server.mjs',
	`import {writeFileSync} from 'node:fs';
	const [at, ...args] = process.argv.slice(2);
	writeFileSync(at, JSON.stringify([args, args.map((_, i) => process.env['VALUE_' + i])]));`,
);
for (const name of Object.keys(expected)) {
	const at = `${process.cwd()}/${name}.json`;
	const args = [`${process.cwd()}/server.mjs`, at, ...values];
	const env = values.map((value, i) => ({name: `VALUE_${i}`, value}));
	const agent = await open(name, () => ({parts: ['done']}), {
		mcpServers: [{name: 'lab', command: process.execPath, args, env}],
	});
	for (let i = 0; i < 200 && !existsSync(at); i++) await sleep(50);
	await sleep(200);
	const got = JSON.parse(readFileSync(at, 'utf8'));
	await agent.close();
	for (const [i, way] of ['argument', 'environment'].entries()) {
		const before = values.map(value => expected[name][i][value]);
		const count = values.filter((value, k) => value !== got[i][k]).length;
		same(`${name}: ${way}: ${count} of ${values.length} changed`, before, got[i]);
	}
}
JS
