/** Answers that a plan may set, by kind: ask the person, go on, or stop. */
export const supervisionChoices = {
	checkpoint: ['ask', 'go'],
	review: ['ask', 'go'],
	delegation: ['ask', 'stop'],
	scope: ['ask', 'stop'],
	permission: ['ask', 'stop'],
} as const;

/** Answers for some kinds; `rules/effects/policy.ts` has the policy for all. */
export type SupervisionPolicy = {
	readonly [Kind in keyof typeof supervisionChoices]?: (typeof supervisionChoices)[Kind][number];
};

/** Names of policies. */
export const supervisionLevels = {
	supervised: {checkpoint: 'ask', review: 'ask'},
	'semi-autonomous': {checkpoint: 'go', review: 'go'},
} as const satisfies Readonly<Record<string, SupervisionPolicy>>;

/** Name of a policy, or a policy. */
export type Supervision = keyof typeof supervisionLevels | SupervisionPolicy;

/** Returns the policy of a plan, which may be given by name. */
export const policyIn = (supervision: Supervision = {}): SupervisionPolicy =>
	typeof supervision === 'string' ? supervisionLevels[supervision] : supervision;

/** Returns the name of a policy if it has one, else the policy. */
export const namedPolicy = (policy: SupervisionPolicy): Supervision => {
	const said = Object.entries(policy).filter(
		([kind, answer]) => kind in levelKinds || answer !== 'ask',
	);
	const {checkpoint = 'ask', review = 'ask'} = policy;
	const isNamed = checkpoint === review && said.every(([kind]) => kind in levelKinds);
	return isNamed ? (review === 'go' ? 'semi-autonomous' : 'supervised') : policy;
};

const levelKinds = supervisionLevels.supervised;
