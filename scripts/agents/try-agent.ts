import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createPlay} from '../../fixtures/models/play.ts';
import {type News, startModelServer} from '../../fixtures/models/server.ts';
import type {VendorProgram} from '../../src/agents/profiles/profile.ts';
import {profiles} from '../../src/agents/profiles/profiles.ts';
import type {AgentVendor} from '../../src/events/plan.ts';
import {abilities, type Evidence, type Verdict} from './abilities.ts';
import {install} from './install.ts';
import {makePlayground, type Playground} from './playground.ts';
import {playSession} from './session.ts';

/** Result of an agent: a verdict for each ability in order, or the reason why there is none: the program could not be installed, or no session could be started with it. */
export type Trial = {readonly vendor: AgentVendor; readonly program: VendorProgram} & (
	| {
			readonly kind: 'tried';
			readonly verdicts: readonly Verdict[];
			readonly seconds: number;
			readonly trouble?: string;
			/** Other hosts that it tried to reach, in vain. */
			readonly hosts: readonly string[];
			/** Commands of processes that were left at the end. */
			readonly leftover: readonly string[];
			/** Folder of the kept files. */
			readonly kept?: string;
	  }
	| {readonly kind: 'skipped' | 'failed'; readonly why: string}
);

/** Runs one whole session with an agent of a vendor; if `signal` aborts, it is stopped and everything is removed. */
export const tryAgent = async (
	vendor: AgentVendor,
	{keep, signal}: {readonly keep: boolean; readonly signal: AbortSignal},
): Promise<Trial> => {
	const program = profiles[vendor].acp;
	const commands = await install(vendor, program).catch(whyOf);
	if (typeof commands !== 'string') {
		return {vendor, program, kind: 'skipped', ...commands};
	}

	const held = Promise.withResolvers<void>();
	const tried: string[] = [];
	const news: News[] = [];
	const play = createPlay({onTried: about => tried.push(about), onHeld: held.resolve});
	await using server = await startModelServer(play, item => news.push(item));
	const place = await makePlayground(vendor, {commands, url: server.url});
	try {
		const start = performance.now();
		const played = await playSession(place, held.promise, signal);
		const seconds = Math.round((performance.now() - start) / 1000);
		return {
			vendor,
			program,
			kind: 'tried',
			verdicts: await judgeAll({place, played, tried, shown: shownIn(news)}),
			seconds,
			...(played.trouble === undefined ? {} : {trouble: played.trouble}),
			hosts: hostsIn(news),
			leftover: played.leftover,
			...(keep ? {kept: place.folder} : {}),
		};
	} catch (error) {
		return {vendor, program, kind: 'failed', ...whyOf(error)};
	} finally {
		await (keep ? keepNews(place, news) : place.remove());
	}
};

const judgeAll = async (evidence: Evidence): Promise<readonly Verdict[]> => {
	const verdicts: Verdict[] = [];
	for (const {judge} of abilities) {
		verdicts.push(await judge(evidence));
	}

	return verdicts;
};

/** Writes the requests to the model and its answers to a file. */
const keepNews = ({folder}: Playground, news: readonly News[]): Promise<void> =>
	writeFile(join(folder, 'model.ndjson'), news.map(item => `${JSON.stringify(item)}\n`).join(''));

const whyOf = (error: unknown): {readonly why: string} => ({
	why: error instanceof Error ? error.message : String(error),
});

const shownIn = (news: readonly News[]): readonly string[] =>
	news.flatMap(item =>
		item.kind === 'answered'
			? item.asked.entries.flatMap(entry =>
					entry.by === 'person' || entry.by === 'result' ? [entry.text] : [],
				)
			: [],
	);

const hostsIn = (news: readonly News[]): readonly string[] => [
	...new Set(news.flatMap(item => (item.kind === 'outside' ? [item.host] : []))),
];
