/**
A change that does more than change what is read, so a person sees it first.

The surface of a project is what runs by itself, when a person installs, opens, commits, builds or tests, or in CI; and what leads elsewhere. A path may be there twice, as a link with the name of a hook is.
*/
export type SurfaceChange = {
	readonly path: string;
	readonly as: 'runs' | 'link' | 'submodule';
	/** What runs, in words; where the link leads; the commit that the submodule is at. */
	readonly what: string;
};
