import type {Command} from 'commander';
import {Failure} from '../../lib/failure.ts';
import {
	decisionTokens,
	makeDecisionToken,
	revokeDecisionToken,
} from '../../supervisor/requests/decision-tokens.ts';
import {print, printAs, printAside} from '../output.ts';
import {requireNoSession} from '../reach-supervisor.ts';

export const addToken = (program: Command): void => {
	program
		.command('token [verb] [name]')
		.description('tokens by which your scripts decide without a terminal: make NAME, revoke NAME')
		.option('--json', 'as JSON')
		.action(async (verb: string | undefined, name: string | undefined, {json}: {json?: true}) => {
			requireNoSession();
			if (verb === undefined) {
				const tokens = decisionTokens().map(({name, madeAt}) => ({name, madeAt}));
				const lines = tokens.map(({name, madeAt}) => `${name}  made ${madeAt}`);
				printAs({json}, {tokens}, lines.join('\n') || 'You have no tokens.');
				return;
			}

			if (name === undefined || !(verb === 'make' || verb === 'revoke')) {
				throw new Failure('usage', 'Use "token make NAME" or "token revoke NAME".');
			}

			if (verb === 'revoke') {
				await revokeDecisionToken(name);
				printAs({json}, {ok: true}, `The token ${name} decides nothing any more.`);
				return;
			}

			if (!process.stdin.isTTY) {
				throw new Failure('refused', 'A token is made by a person at a terminal.');
			}

			const token = await makeDecisionToken(name, new Date().toISOString());
			printAside(
				'This token is shown only now. Anyone who has it can decide for you: keep it where no agent looks, and give it as $DELEGATE_TUI_TOKEN or by answer --token-file FILE.',
			);
			print(token);
		});
};
