/** Returns a plan to begin with, that can be read as it is; what is left to the person says so. */
export const starterPlan = (
	verify: string | undefined,
): string => `# A plan for delegate-tui. Every key is explained by: delegate-tui help plan
# Try it: delegate-tui run plan.yaml
version: 1
task: Say here what all of it is for
# context: What every agent should know of this repository.
# success: [npm test passes]          # when all of it is done
# setup: [npm ci]                     # run in each worktree before its agent starts
${verify === undefined ? '# verify: [npm test]                  # checks the merged result before you approve it' : `verify: [${verify}]  # checks the merged result before you approve it`}
# check: [npx tsc --noEmit]           # tells what breaks together, while agents work
agents:
  - subtask: Say here what the first agent is to do
    goal: Say here what done means for it
    scope: {allowed: ["src/**", "test/**"]}   # where it may write; without it nowhere
    agent: claude                             # or codex, gemini, opencode, or one of your config
  - subtask: Say here what the second agent is to do
    goal: Say here what done means for it
    scope: {allowed: ["docs/**"]}
    agent: claude
    # after: [AGT-001]                        # it waits for the first one’s result
`;
