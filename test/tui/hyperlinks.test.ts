import {hostname} from 'node:os';
import {join} from 'node:path';
import {renderToString} from 'ink';
import {createElement} from 'react';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {defined} from '../../src/lib/values.ts';
import {commitPage} from '../../src/rules/push-offer.ts';
import {Frame} from '../../src/tui/app.tsx';
import type {Context} from '../../src/tui/model/view.ts';
import {fileAddress, showsHyperlinks} from '../../src/tui/terminal/hyperlinks.ts';
import {themeFor} from '../../src/tui/theme.ts';
import {
	adding,
	knownOf,
	large,
	openAt,
	openScreen,
	recorded,
	resourcesOf,
	small,
	whenFirst,
} from './a-screen.ts';

const theme = themeFor('dark', {});

const frameOf = (context: Context): readonly string[] =>
	renderToString(createElement(Frame, {context, theme}), {
		columns: context.view.size.columns,
	}).split('\n');

/** Returns the texts of a frame that lead somewhere, with where. */
const linksIn = (frame: readonly string[]): readonly (readonly string[])[] =>
	frame.flatMap(row =>
		[...row.matchAll(/\x1b\]8;;([^\x1b\x07]+)(?:\x1b\\|\x07)(.*?)\x1b\]8;;(?:\x1b\\|\x07)/g)].map(
			([, address = '', text = '']) => [text.replaceAll(/\x1b\[[\d;]*m/g, ''), address],
		),
	);

const long = `src/${'deep/'.repeat(30)}a.js`;

const diff = [1, 2, 3, 4, 5, 6, 7]
	.map(number => adding(20).replaceAll('src/a.js', `src/é ${number}.js`))
	.concat(adding(3).replaceAll('src/a.js', long))
	.join('');

const withLinks = (context: Context): Context => ({
	...context,
	addressOf: (...parts: readonly string[]) => fileAddress(join('/state', ...parts)),
});

describe.each([small, large])('in %o', size => {
	test.each(['home', 'J', 'G'])(
		'names of files lead to the agent’s worktree itself, and no row is wider for it (%s)',
		async key => {
			const screen = openAt('review', await whenFirst('questions-and-checkpoints', 'review'), {
				size,
			});
			screen.learn({resources: resourcesOf(screen.context(), diff)});
			screen.press(key);
			const [plain, linked] = [frameOf(screen.context()), frameOf(withLinks(screen.context()))];
			const text = (rows: readonly string[]) =>
				rows.map(row => row.replaceAll(/\x1b\]8;;.*?(?:\x1b\\|\x07)|\x1b\[[\d;]*m/g, '').trimEnd());
			expect(text(linked)).toEqual(text(plain));
			expect(linked.map(row => stringWidth(row)).filter(width => width > size.columns)).toEqual([]);
			expect(linksIn(plain)).toEqual([]);
			for (const [, address] of linksIn(linked)) {
				expect(address).toBe(fileAddress('/state/AGT-001'));
			}

			expect(linksIn(linked).length > 0 || key === 'home').toBe(true);
		},
	);
});

test('the commit of a merge leads to its page once it was pushed, and only where that is known', async () => {
	const {state, log, tails} = knownOf(await recorded('check-fails'));
	const commit = state.publications.at(-1)?.built.commit ?? '';
	const page = commitPage('git@github.com:team/shop.git', commit);
	const told = (to: 'begun' | 'done', page: string | undefined) => {
		const pushed = {kind: 'push.changed', to, commit, remote: 'origin', branch: 'main'} as const;
		const event = {...pushed, seq: 99, at: state.at, commands: [], ...defined({page})};
		const screen = openScreen(
			{state, tails, log: [...log, {event, text: '', waiting: []}]},
			{size: large},
		);
		return linksIn(frameOf(withLinks(screen.context())));
	};
	expect(told('done', page)).toEqual([
		[expect.stringContaining(commit.slice(0, 10)), `https://github.com/team/shop/commit/${commit}`],
	]);
	expect(told('begun', page)).toEqual([]);
	expect(told('done', undefined)).toEqual([]);
	expect(told('done', 'https://a.example/\x1b\\')).toEqual([]);
});

test.each([
	['https://gitlab.com/a/b/shop.git', 'https://gitlab.com/a/b/shop/-/commit/c0'],
	['ssh://git@codeberg.org/a/shop', 'https://codeberg.org/a/shop/commit/c0'],
	['git@bitbucket.org:a/shop.git', 'https://bitbucket.org/a/shop/commits/c0'],
	['ssh://git@github.com:22/a/shop.git', 'https://github.com/a/shop/commit/c0'],
	['https://github.com:443/a/shop', 'https://github.com/a/shop/commit/c0'],
	['git@github.com:/a/shop.git/', 'https://github.com/a/shop/commit/c0'],
	['git@github.com:a/.github', 'https://github.com/a/.github/commit/c0'],
	['git@github.com:a/../shop', undefined],
	['https://github.com/a/./shop', undefined],
	['https://github.com/a//shop', undefined],
	['https://github.com:a/shop', undefined],
	['https://example.org/a/shop.git', undefined],
	['https://github.com.example.org/a/shop', undefined],
	['https://constructor/a/shop', undefined],
	['/srv/git/shop.git', undefined],
])('a commit at %s has the page %s', (url, page) => {
	expect(commitPage(url, 'c0')).toBe(page);
});

test('an address names this machine, and encodes what steers a terminal', () => {
	expect(fileAddress('/a b/é\x1b\x07.js')).toBe(`file://${hostname()}/a%20b/%C3%A9%1B%07.js`);
});

test.each([
	[{TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1'}, true],
	[{TERM: 'xterm-256color', VTE_VERSION: '7600'}, true],
	[{TERM: 'xterm-256color', VTE_VERSION: '4205'}, false],
	[{TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app'}, true],
	[{TERM: 'xterm-256color', WT_SESSION: 'x'}, true],
	[{TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.4', TMUX: 'x'}, true],
	[{TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TERM_PROGRAM_VERSION: '3.3a', TMUX: 'x'}, false],
	[{TERM: 'screen', TMUX: 'x', VTE_VERSION: '7600'}, false],
	[{TERM: 'linux'}, false],
	[{}, false],
	[{TERM: 'linux', FORCE_HYPERLINK: '1'}, true],
	[{TERM: 'xterm-kitty', FORCE_HYPERLINK: '0'}, false],
	[{TERM: 'dumb', FORCE_HYPERLINK: '1'}, false],
	[{TERM: 'xterm-kitty', NO_COLOR: '1'}, false],
])('in %o there are links: %s', (environment, shown) => {
	expect(showsHyperlinks(environment)).toBe(shown);
});
