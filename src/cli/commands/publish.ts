import type {Command} from 'commander';
import {exitCodes} from '../../lib/failure.ts';
import {pushQuestion, pushText} from '../../rules/push-offer.ts';
import {findHere} from '../here.ts';
import {print, printAs} from '../output.ts';
import {offerPush, type PublishOptions, push} from '../publish.ts';
import {isAtTerminal, saysYes} from '../questions.ts';
import {requirePerson} from '../reach-supervisor.ts';

type Options = Pick<PublishOptions, 'as'> & {
	readonly pullRequest?: true | string;
	readonly yes?: boolean;
	readonly json?: boolean;
};

export const addPublish = (program: Command): void => {
	program
		.command('publish')
		.description('push the branch of the newest merge by your own git; shown and asked before')
		.option('--as <branch>', 'another name for it on the other side')
		.option(
			'--pull-request [branch]',
			'open a pull request into that branch, by gh or glab; the report is its text',
		)
		.option('--yes', 'do it without asking')
		.option('--json', 'as JSON')
		.action(async ({pullRequest: request, ...options}: Options) => {
			const here = await findHere();
			requirePerson(here);
			const offer = await offerPush(here, {...options, ...(request ? {request} : {})});
			if (!options.json) {
				print(pushText(offer).join('\n'));
			}

			const isAsked = !options.yes && !options.json && isAtTerminal();
			if (!(options.yes || (isAsked && (await saysYes(pushQuestion(offer)))))) {
				const way = isAsked ? '' : ' To do it, add --yes.';
				printAs(options, {ok: false, ...offer}, `Nothing was done.${way}`);
				process.exitCode = exitCodes.refused;
				return;
			}

			printAs(options, {ok: true, ...offer}, await push(here, offer));
		});
};
