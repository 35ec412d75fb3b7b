/** Starts real agents over ACP against a model server on 127.0.0.1, and keeps with its time what passes between the three. */
import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * What each vendor's model says on the wire. `limit` ends an answer at the token limit, `refused` as one that may not be
 * given, `cut` ends the stream early.
 */
const claude = {
	program: '@agentclientprotocol/claude-agent-acp/dist/index.js',
	env: (url, home, {token}) => ({
		ANTHROPIC_BASE_URL: url,
		...(token ? {CLAUDE_CODE_OAUTH_TOKEN: 'made-up'} : {ANTHROPIC_API_KEY: 'made-up'}),
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		DISABLE_AUTOUPDATER: '1',
		CLAUDE_CODE_TMPDIR: tmpdir(),
		CLAUDE_CONFIG_DIR: join(home, '.claude'),
	}),
	isModel: path => /^\/v1\/messages(\?|$)/.test(path),
	/** It asks without tools for the title of a session. */
	isTurn: body => body.tools?.length > 0,
	stream(write, n) {
		const send = (type, fields) =>
			write(`event: ${type}\ndata: ${JSON.stringify({type, ...fields})}\n\n`);
		let index = -1;
		let isOpen = false;
		let stop = 'end_turn';
		const block = content_block => {
			if (isOpen) send('content_block_stop', {index});
			index += 1;
			isOpen = true;
			send('content_block_start', {index, content_block});
		};

		const own = (name, input) => {
			block({type: 'tool_use', id: `toolu_${n}`, name, input: {}});
			const partial_json = JSON.stringify(input);
			send('content_block_delta', {index, delta: {type: 'input_json_delta', partial_json}});
			stop = 'tool_use';
		};

		send('message_start', {
			message: {
				id: `msg_${n}`,
				type: 'message',
				role: 'assistant',
				model: 'claude-opus-5-5',
				content: [],
				stop_reason: null,
				stop_sequence: null,
				usage: {input_tokens: 1000, output_tokens: 1},
			},
		});
		return {
			say(text) {
				if (!isOpen) block({type: 'text', text: ''});
				send('content_block_delta', {index, delta: {type: 'text_delta', text}});
			},
			run: command => own('Bash', {command, description: 'a command'}),
			use: tool => own(`mcp__lab__${tool}`, {}),
			own,
			end(how) {
				if (isOpen) send('content_block_stop', {index});
				const stop_reason = {limit: 'max_tokens', refused: 'refusal'}[how] ?? stop;
				send('message_delta', {
					delta: {stop_reason, stop_sequence: null},
					usage: {output_tokens: 5},
				});
				send('message_stop', {});
			},
		};
	},
};

const codex = {
	program: '@agentclientprotocol/codex-acp/dist/index.js',
	env(url, home, {provider = ''}) {
		mkdirSync(join(home, '.codex'), {recursive: true});
		const config = [
			'model = "gpt-5.5"',
			'model_provider = "local"',
			'check_for_update_on_startup = false',
			'[analytics]',
			'enabled = false',
			'[feedback]',
			'enabled = false',
			'[model_providers.local]',
			'name = "local"',
			`base_url = "${url}/v1"`,
			'wire_api = "responses"',
			'env_key = "LOCAL_KEY"',
			provider,
		];
		writeFileSync(join(home, '.codex/config.toml'), config.join('\n'));
		return {CODEX_HOME: join(home, '.codex'), LOCAL_KEY: 'made-up'};
	},
	isModel: path => path.startsWith('/v1/responses'),
	isTurn: body => !JSON.stringify(body.input?.at(-1) ?? '').includes('creating a title'),
	stream(write, n) {
		const send = event => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
		const id = `msg_${n}`;
		const message = text => ({
			type: 'message',
			id,
			role: 'assistant',
			content: text ? [{type: 'output_text', text, annotations: []}] : [],
		});
		let said = '';
		send({type: 'response.created', response: {id: `resp_${n}`}});
		return {
			say(text) {
				if (!said) send({type: 'response.output_item.added', output_index: 0, item: message('')});
				said += text;
				const place = {item_id: id, output_index: 0, content_index: 0};
				send({type: 'response.output_text.delta', ...place, delta: text});
			},
			run(command) {
				const call = {call_id: `call_${n}`, name: 'exec_command'};
				const args = JSON.stringify({cmd: command});
				const item = {type: 'function_call', id: `fc_${n}`, ...call, arguments: args};
				send({type: 'response.output_item.done', output_index: 0, item});
			},
			use(tool) {
				const call = {call_id: `call_${n}`, name: tool, namespace: 'mcp__lab', arguments: '{}'};
				const item = {type: 'function_call', id: `fc_${n}`, ...call};
				send({type: 'response.output_item.done', output_index: 0, item});
			},
			own(name, input) {
				const item = {type: 'custom_tool_call', id: `ctc_${n}`, call_id: `call_${n}`, name, input};
				send({type: 'response.output_item.done', output_index: 0, item});
			},
			end(how) {
				if (said) send({type: 'response.output_item.done', output_index: 0, item: message(said)});
				const response = {id: `resp_${n}`, status: 'completed', output: []};
				const reason = {limit: 'max_output_tokens', refused: 'content_filter'}[how];
				if (reason) {
					const incomplete_details = {reason};
					const incomplete = {...response, status: 'incomplete', incomplete_details};
					send({type: 'response.incomplete', response: incomplete});
					return;
				}

				if (how?.failed) {
					const error = {code: how.failed, message: 'said by the model server'};
					const failed = {...response, status: 'failed', error};
					send({type: 'response.failed', response: failed});
					return;
				}

				const usage = {
					input_tokens: 1000,
					input_tokens_details: {cached_tokens: 0},
					output_tokens: 5,
					output_tokens_details: {reasoning_tokens: 0},
					total_tokens: 1005,
				};
				send({type: 'response.completed', response: {...response, usage}});
			},
		};
	},
};

const gemini = {
	program: '@google/gemini-cli/bundle/gemini.js',
	args: ['--acp', '--model', 'gemini-2.5-pro'],
	login: 'gemini-api-key',
	env(url, home) {
		const settings = {
			general: {enableAutoUpdate: false, enableAutoUpdateNotification: false},
			privacy: {usageStatisticsEnabled: false},
			security: {auth: {selectedType: 'gemini-api-key'}},
		};
		mkdirSync(join(home, '.gemini'), {recursive: true});
		writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
		return {
			GEMINI_API_KEY: 'made-up',
			GOOGLE_GEMINI_BASE_URL: url,
			GEMINI_CLI_TRUST_WORKSPACE: 'true',
		};
	},
	isModel: path => /streamGenerateContent/.test(path),
	isTurn: () => true,
	stream(write) {
		const send = (parts, finishReason) => {
			const candidate = {index: 0, content: {role: 'model', parts}, finishReason};
			const usageMetadata = {
				promptTokenCount: 1000,
				candidatesTokenCount: 5,
				totalTokenCount: 1005,
			};
			write(`data: ${JSON.stringify({candidates: [candidate], usageMetadata})}\n\n`);
		};

		const own = (name, args) => send([{functionCall: {name, args}}]);
		return {
			say: text => send([{text}]),
			run: command => own('run_shell_command', {command}),
			use: tool => own(`mcp_lab_${tool}`, {}),
			own,
			end: how => send([{text: ''}], {limit: 'MAX_TOKENS', refused: 'SAFETY'}[how] ?? 'STOP'),
		};
	},
};

const opencode = {
	program: 'opencode-ai/bin/opencode.exe',
	isBinary: true,
	args: ['acp'],
	env(url) {
		const provider = {
			npm: '@ai-sdk/openai-compatible',
			options: {baseURL: `${url}/v1`, apiKey: 'made-up'},
			models: {lab: {}},
		};
		const models = {provider: {lab: provider}, model: 'lab/lab', small_model: 'lab/lab'};
		const settings = {...models, permission: {'*': 'allow'}, autoupdate: false, share: 'disabled'};
		const off = ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS'];
		return {
			...Object.fromEntries(off.map(name => [`OPENCODE_DISABLE_${name}`, '1'])),
			OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
		};
	},
	isModel: path => path.startsWith('/v1/chat/completions'),
	/** It asks without tools for the title of a session. */
	isTurn: body => body.tools?.length > 0,
	stream(write, n) {
		let reason = 'stop';
		const send = (delta, finish_reason = null) => {
			const chunk = {id: `chat_${n}`, object: 'chat.completion.chunk', created: 1, model: 'lab'};
			const choices = [{index: 0, delta, finish_reason}];
			write(`data: ${JSON.stringify({...chunk, choices})}\n\n`);
		};

		const own = (name, input) => {
			const call = {name, arguments: JSON.stringify(input)};
			send({tool_calls: [{index: 0, id: `call_${n}`, type: 'function', function: call}]});
			reason = 'tool_calls';
		};

		return {
			say: content => send({role: 'assistant', content}),
			run: command => own('bash', {command, description: 'a command'}),
			use: tool => own(`lab_${tool}`, {}),
			own,
			end(how) {
				send({}, {limit: 'length', refused: 'content_filter'}[how] ?? reason);
				write('data: [DONE]\n\n');
			},
		};
	},
};

const vendors = {claude, codex, gemini, opencode};
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/**
 * A model server that answers the n-th request of a turn with `reply(n, body)`: `{status, headers, body}`, or `{parts, end}`
 * with texts, `{pause: ms}`, `{run: command}`, `{own: [name, input]}` (a tool of the agent's own) and `{use: tool}` (one of
 * the MCP server `lab`, see mcp.mjs) as parts.
 */
const serve = async (vendor, reply, note) => {
	let turns = 0;
	let others = 0;
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const piece of request) text += piece;
		if (request.method !== 'POST' || !vendor.isModel(request.url)) {
			response.writeHead(404, {'content-type': 'application/json'}).end('{}');
			return;
		}

		const body = JSON.parse(text);
		const isTurn = vendor.isTurn(body);
		const n = isTurn ? ++turns : 1000 + ++others;
		note({kind: 'request', isTurn, headers: request.headers, body});
		const answer = isTurn ? reply(n, body) : {parts: ['{"title": "a title"}']};
		if (answer.status) {
			response.writeHead(answer.status, {'content-type': 'application/json', ...answer.headers});
			response.end(JSON.stringify(answer.body));
			return;
		}

		response.writeHead(200, {'content-type': 'text/event-stream', 'request-id': `req_${n}`});
		const stream = vendor.stream(piece => response.write(piece), n);
		for (const part of answer.parts) {
			if (typeof part === 'string') stream.say(part);
			else if (part.run) stream.run(part.run);
			else if (part.use) stream.use(part.use);
			else if (part.own) stream.own(...part.own);
			else await sleep(part.pause);
		}

		if (answer.end !== 'cut') stream.end(answer.end);
		response.end();
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {server, url: `http://127.0.0.1:${server.address().port}`};
};

/** The model server of a vendor, and the environment in which its programs find it. */
export const serveModel = async (name, reply, {home, note = () => {}, ...options}) => {
	const vendor = vendors[name];
	const {server, url} = await serve(vendor, reply, note);
	return {
		env: {
			PATH: process.env.PATH,
			HOME: home,
			TMPDIR: tmpdir(),
			TZ: 'UTC',
			LC_ALL: 'C.UTF-8',
			...vendor.env(url, home, options),
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
};

/**
 * Opens a session with the agent of a vendor, in a home and a folder of its own, which `prepare` may fill before; or loads
 * the session `earlier`, which `open` gave, in its home.
 */
export const open = async (name, reply, options = {}) => {
	const vendor = vendors[name];
	const {earlier} = options;
	const began = Date.now();
	const events = [];
	const note = event => events.push({at: (Date.now() - began) / 1000, ...event});
	const home = earlier?.home ?? mkdtempSync(join(process.cwd(), `${name}-`));
	const work = join(home, 'work');
	mkdirSync(work, {recursive: true});
	options.prepare?.(work);
	const model = await serveModel(name, reply, {...options, home, note});
	const program = join(process.cwd(), 'node_modules', vendor.program);
	const [start, ...rest] = vendor.isBinary ? [program] : [process.execPath, program];
	const child = spawn(start, [...rest, ...(vendor.args ?? [])], {
		cwd: work,
		detached: true,
		env: {...model.env, ...options.env},
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const gone = new Promise(resolve => child.once('exit', resolve));
	const waiting = new Map();
	const write = message => child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
	const call = (method, params) =>
		new Promise((resolve, reject) => {
			const id = waiting.size + 1;
			waiting.set(id, resolve);
			gone.then(code =>
				reject(new Error(`${name} ended with ${code} before it answered ${method}`)),
			);
			write({id, method, params});
		});
	const heard = message => {
		if (message.method && message.id !== undefined) {
			const wanted = options.decision ?? 'allow_once';
			const option = message.params.options?.find(({kind}) => kind === wanted);
			note({kind: 'asked', method: message.method, params: message.params});
			const outcome = {outcome: {outcome: 'selected', optionId: option?.optionId}};
			const error = {code: -32601, message: 'The client has no such method'};
			write({id: message.id, ...(option ? {result: outcome} : {error})});
		} else if (message.method === 'session/update') {
			note({kind: 'update', update: message.params.update});
		} else if (message.method) {
			note({kind: 'told', method: message.method, params: message.params});
		} else {
			waiting.get(message.id)?.(message);
		}
	};
	let unended = '';
	child.stdout.setEncoding('utf8').on('data', piece => {
		const lines = (unended + piece).split('\n');
		unended = lines.pop();
		for (const line of lines.filter(text => text.startsWith('{'))) heard(JSON.parse(line));
	});

	const hello = await call('initialize', {protocolVersion: 1, clientCapabilities: {}});
	if (vendor.login) await call('authenticate', {methodId: vendor.login});
	const place = {cwd: work, mcpServers: options.mcpServers ?? []};
	const session = earlier
		? await call('session/load', {sessionId: earlier.sessionId, ...place})
		: await call('session/new', place);
	if (!session.result) throw new Error(`${name} opened no session: ${JSON.stringify(session)}`);
	const {sessionId = earlier?.sessionId, modes} = session.result;
	const setMode = modeId => call('session/set_mode', {sessionId, modeId});
	if (options.mode) await setMode(options.mode);
	const {agentInfo} = hello.result;
	console.log(`agent: ${agentInfo?.name} ${agentInfo?.version}`);
	/** The agent's words, without what the agent marks as a notice of its own. */
	const words = () =>
		events
			.filter(({update}) => update?.sessionUpdate === 'agent_message_chunk')
			.filter(({update}) => update._meta?.claudeCode?.kind !== 'informational')
			.map(({update}) => update.content.text);
	return {
		events,
		home,
		sessionId,
		startMode: modes?.currentModeId,
		work,
		/** Resolves with the result of session/set_mode. */
		setMode: async modeId => (await setMode(modeId)).result,
		/** Resolves with what the agent answered, which is kept as an event too. */
		async prompt(text, ...more) {
			const prompt = [{type: 'text', text}, ...more];
			const {id, jsonrpc, ...answer} = await call('session/prompt', {sessionId, prompt});
			note({kind: 'answer', text, answer});
			return answer;
		},
		cancel() {
			note({kind: 'cancel'});
			write({method: 'session/cancel', params: {sessionId}});
		},
		words,
		/** Resolves when the client has got these words of the agent. */
		async hears(text) {
			while (!words().join('').includes(text)) await sleep(50);
		},
		async close() {
			try {
				process.kill(-child.pid, 'SIGKILL');
			} catch {}
			await gone;
			model.close();
		},
	};
};

export {sleep};

/** Says what was seen, and ends the run if it is not what was seen before. */
export const same = (what, before, now) => {
	const [a, b] = [before, now].map(value =>
		typeof value === 'string' ? value : JSON.stringify(value),
	);
	if (a !== b) {
		console.error(`CHANGED: ${what}\n--- before\n${a}\n--- now\n${b}`);
		process.exit(1);
	}

	console.log(`seen: ${what}: ${b}`);
};
