import manifest from '../../package.json' with {type: 'json'};

/** Version of this program; supervisors and screens compare it. */
export const version: string = manifest.version;
