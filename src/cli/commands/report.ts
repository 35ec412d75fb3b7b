import {type Command, Option} from 'commander';
import {readTelemetry} from '../../client/activity/accounts.ts';
import {reportText} from '../../client/texts/report/content.ts';
import {reportHtml} from '../../client/texts/report/report-html.ts';
import {reportOf} from '../../rules/report/report.ts';
import {findHere, readLastSession, readNamedSession} from '../here.ts';
import {noSessionText} from '../no-session.ts';
import {faultField, print, printJson} from '../output.ts';

type Options = {readonly json?: boolean; readonly html?: boolean};

export const addReport = (program: Command): void => {
	program
		.command('report [session]')
		.description('what became of a session, as Markdown; of the last one unless another is named')
		.option('--json', 'as JSON')
		.addOption(new Option('--html', 'as a page for a browser').conflicts('json'))
		.action(async (id: string | undefined, {json, html}: Options) => {
			const here = await findHere();
			const named = id ?? (await readLastSession(here))?.id;
			const session = named === undefined ? undefined : await readNamedSession(here, named);
			const told = session === undefined ? {} : await readTelemetry(session.folder.telemetry);
			const report = reportOf(session?.events ?? [], agent => told[agent]?.spent);
			if (json) {
				printJson({...(report ?? {session: null}), ...faultField(session)});
			} else if (report === undefined) {
				print(await noSessionText(here));
			} else {
				const now = new Date().toISOString();
				print(html ? reportHtml(report, now) : reportText(report, now));
			}

			// The events before the damage are true, but the report must not hide that some are missing.
			if (!json && session?.fault !== undefined) {
				throw session.fault;
			}
		});
};
