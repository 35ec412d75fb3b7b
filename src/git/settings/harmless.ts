/**
Returns whether a setting can neither name a program nor change what git reads and writes.

Which settings can is a list without an end: programs that git starts read their own, and new versions bring new ones. So what is known to be harmless is listed, and everything else counts.

@param key As git lists it: section and name in lower case, with a part in between for some.
*/
export const isHarmless = (key: string): boolean => {
	const section = key.slice(0, key.indexOf('.'));
	const names = Object.hasOwn(harmless, section) ? harmless[section] : undefined;
	return names === 'all' || names?.includes(key.slice(key.lastIndexOf('.') + 1)) === true;
};

/** By section. What git and tools around it write in daily work is here, and what only changes how something looks. */
const harmless: Readonly<Record<string, 'all' | readonly string[]>> = {
	advice: 'all',
	author: 'all',
	branch: [
		'description',
		'gh-merge-base',
		'github-pr-owner-number',
		'merge',
		'pushremote',
		'rebase',
		'remote',
		'vscode-merge-base',
	],
	color: 'all',
	column: 'all',
	commit: ['status', 'verbose'],
	committer: 'all',
	core: ['abbrev', 'commentchar', 'quotepath', 'whitespace'],
	fetch: ['parallel', 'prune', 'prunetags', 'showforcedupdates', 'writecommitgraph'],
	github: 'all',
	gui: ['geometry', 'recentrepo', 'wmstate'],
	help: ['autocorrect', 'format'],
	init: ['defaultbranch'],
	lfs: ['access', 'locksverify', 'repositoryformatversion'],
	maintenance: ['auto', 'repo', 'strategy'],
	pull: ['ff', 'rebase'],
	push: ['autosetupremote', 'default', 'followtags'],
	remote: ['fetch', 'gh-resolved', 'prune', 'push', 'pushdefault', 'pushurl', 'tagopt', 'url'],
	status: 'all',
	submodule: ['active', 'branch', 'url'],
	user: 'all',
};
