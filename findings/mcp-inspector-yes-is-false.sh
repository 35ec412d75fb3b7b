#!/usr/bin/env bash
# Guess: the command line of MCP's Inspector looks at the tool's schema to give each `--tool-arg name=value` its type. So for a boolean
# `yes` is true or an error, and for a string what was typed arrives.
# What happens: for a boolean every word but `true` is false: with dry_run=yes or =on the tool runs in earnest, exit 0, without a
# word. A number that is none is sent as null. For a string the type isn't looked at: 1.10, true and null become a number, a
# boolean and null, which the tool refuses; and where a string or a number will do, version 1.10 arrives as 1.1.
# Who it hurts: scripts, CI jobs and agents that try servers by this program: what the tool did isn't what was asked for, and a
# string that looks like a number reads like a fault of the server.
# What to know: give arguments by --tool-args-json, which is sent as it is; or quote a string twice: --tool-arg 'version="1.10"'.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7
own_home
cd "$T"
cat >server.mjs <<'JS'
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {z} from 'zod';

const server = new McpServer({name: 'lab', version: '1.0.0'});
const inputSchema = {
	dry_run: z.boolean().optional(),
	tries: z.number().nullable().optional(),
	version: z.string().optional(),
	tag: z.union([z.string(), z.number()]).optional(),
};
server.registerTool('release', {inputSchema}, input => ({content: [{type: 'text', text: JSON.stringify(input)}]}));
await server.connect(new StdioServerTransport());
JS
call() {
	local code=0
	mcp-inspector --cli node server.mjs --method tools/call --tool-name release "$@" >out.json 2>log || code=$?
	printf '%s, exit %s' "$(node -p 'JSON.parse(fs.readFileSync("out.json")).content[0].text.replace(/^.*Invalid input: /s, "")')" $code
}
same 'dry_run=true' '{"dry_run":true}, exit 0' "$(call --tool-arg dry_run=true)"
for value in yes on; do
	same "dry_run=$value" '{"dry_run":false}, exit 0' "$(call --tool-arg dry_run=$value)"
done
same 'tries=3x' '{"tries":null}, exit 0' "$(call --tool-arg tries=3x)"
same 'version=1.10' 'expected string, received number at version, exit 5' "$(call --tool-arg version=1.10)"
same 'version="1.10"' '{"version":"1.10"}, exit 0' "$(call --tool-arg 'version="1.10"')"
same 'tag=1.10' '{"tag":1.1}, exit 0' "$(call --tool-arg tag=1.10)"
same '--tool-args-json' '{"version":"1.10"}, exit 0' "$(call --tool-args-json '{"version": "1.10"}')"
