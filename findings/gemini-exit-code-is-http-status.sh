#!/usr/bin/env bash
# Guess: gemini -p ends with 0 when it went well, 1 when it failed, or one of the codes it has for kinds of failures (41
# for the login, 42 for the input …).
# What happens: when the model server refuses, it ends with the HTTP status, of which a process keeps the lowest eight
# bits: 173 for 429, 144 for 400, 147 for 403. To a shell, codes above 128 mean death by a signal: 144 reads as one by
# signal 16 and 147 as one by signal 19, the stop signal.
# Who it hurts: supervisors that tell crashes and kills from failures by the exit code, and retry the former.
# What to know: read the last line of --output-format stream-json: it says status error, with the sentence.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @google/gemini-cli@0.61.0
own_home
gemini --version
run_module <<'JS'
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {same, serveModel} from './acp.mjs';

const args = ['-m', 'gemini-2.5-pro', '-p', 'Hello', '-o', 'stream-json'];
const home = join(process.cwd(), 'home');
const run = async reply => {
	const model = await serveModel('gemini', () => reply, {home});
	const child = spawn('gemini', args, {env: model.env, stdio: ['ignore', 'pipe', 'ignore']});
	let said = '';
	child.stdout.on('data', piece => {
		said += piece;
	});
	const code = await new Promise(resolve => child.on('close', resolve));
	model.close();
	const {type, status} = JSON.parse(said.trim().split('\n').at(-1));
	return {code, type, status};
};

const violation = {quotaId: 'GenerateRequestsPerDayPerProjectPerModel', quotaValue: '50'};
const failure = {'@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation]};
for (const [code, status, details, exit] of [
	[429, 'RESOURCE_EXHAUSTED', [failure], 173],
	[400, 'INVALID_ARGUMENT', [], 144],
	[403, 'PERMISSION_DENIED', [], 147],
]) {
	const error = {code, status, message: 'said by the model server', details};
	const seen = await run({status: code, body: {error}});
	same(`HTTP ${code}`, {code: exit, type: 'result', status: 'error'}, seen);
}

const fine = await run({parts: ['Hello']});
same('an answer', {code: 0, type: 'result', status: 'success'}, fine);
JS
