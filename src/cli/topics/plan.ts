import {streamVendors} from '../../events/vendors.ts';
import {enumerated} from '../../lib/text/words.ts';

/** A plan with every key that there is; docs/plan.md shows it, and a test holds it against the schema. */
export const planText = `version: 1                          # of this format
task: Rate-limit the public API     # what all of it is for; every agent is told
context: Express app in src/; tests with vitest.  # what every agent should know
success: [npm test passes, "p99 overhead < 1 ms"] # when all of it is done
target: main                        # the branch to merge into; default: the current one; a new name is created by the first merge
merge: squash                       # one commit for each merge; per-agent: one for each agent; default: as the config says
setup: [npm ci]                     # commands, run in each worktree before its agent starts, in the first one alone
copy: [.env.example, {from: .env, set: {PORT: "\${DELEGATE_PORT}"}}] # ignored files that each worktree gets a copy of
env: {DATABASE: "shop_\${DELEGATE_SLOT}"}  # variables of all that runs in a worktree; no secrets
verify: [npm test]                  # commands that check the merged result before you approve it
verify_network: own                 # host: checks share your ports; own: a loopback of their own where the system allows it
verify_needs: [5432]                # ports of what you run, which checks may use
check: [npx tsc --noEmit]           # commands that tell what breaks together, while agents work
allow: {read: [~/.npmrc], sockets: [/run/docker.sock]}  # write, too: paths that are reached where files are protected
supervision: supervised             # checkpoints wait for you; semi-autonomous: they don’t; or kind by kind, as below
resume: accepted                    # who waits for others (after, or handed on) goes on once you accepted their work
conflicts: {overlap: note}          # ask: you decide on each file that two agents changed, also where git merges it
budget: $20                         # what all agents may spend before you are asked: dollars where they report them, or tokens
agents:
  - id: AGT-001                     # default: AGT-001 and on, in their order
    subtask: Token bucket middleware
    goal: Requests over the limit get a 429  # what done means for this agent
    scope:                          # where it may write; without "allowed" nowhere
      allowed: ["src/limit/**", "test/limit/**"]
      forbidden: ["src/limit/legacy/**"]
    agent: claude                   # a name from the table of agents, or of a profile in the config
    behavior: .claude/agents/backend.md  # a file that says how to work; copied if git has it not
    inputs: [docs/rate-limits.md]   # files to read first
    metrics: [coverage at least 90 %]  # what its result is measured by
    timeout: 1h                     # how long it may work; you are asked at four fifths, and then
    thinking: think                 # standard, think or think-hard: the effort of claude and codex
    supervision: {checkpoint: go, scope: stop}  # otherwise than the others; delegate-tui help policy
    resume: completed               # or as soon as that is complete, as semi-autonomous agents do
    tokens: 200000                  # how many tokens it may use before you are asked
    budget: $5                      # the same in dollars, where its agent reports them; you are asked at four fifths
    output: docs/limits.md          # where its result belongs
    expect: [CREATED, SUMMARY]      # signals, one line each, that it should give
    mode: default                   # in its own words; one in which it asks before it acts
    images: [docs/limits.png]       # pictures of the repository that it is shown with its task
    from: 5a0c2d4e                  # a conversation that you began with this agent by hand: it is told what was said there
    mcp_servers:                    # servers of tools that it is handed besides ours
      - name: tickets
        command: [npx, tickets-mcp]
        env: [TICKETS_TOKEN]        # names only: the values come from the environment of its agent
      - name: docs
        url: https://docs.example.org/mcp   # on the network, over http or sse (type), where its agent takes such ones
        headers: {Authorization: DOCS_AUTH} # the names of variables, too
  - subtask: Document the limits
    scope: {allowed: ["docs/**"]}
    after: [AGT-001]                # agents whose work this one waits for, and stands on
    agent:                          # instead of a name: a known agent, with something changed
      extends: codex
      command: [npx, codex-acp]     # how it is started here
      model: gpt-5.5                # in the agent’s own words
      trust: project                # it may load what the project keeps for it, and run that
      env: {NO_COLOR: "1"}          # added to its environment, and written to no journal
  - subtask: Measure the overhead
    agent:                          # or any program at all
      protocol: text                # or acp, the Agent Client Protocol
      command: [my-agent, --print]
      reply: stdin                  # its input stays open for replies; only with text
  - subtask: List the endpoints
    agent: {protocol: acp, command: [other-agent], tools: http}  # our tools by HTTP, for one that starts no servers
  - subtask: Summarise the measurements
    agent:
      protocol: text
      command: [my-wrapper-of-claude]
      stream: claude                # it prints the JSON stream of ${enumerated(streamVendors, 'or')}
  - subtask: Speed up the bucket
    scope: {allowed: ["bench/**"]}
    best_of: [claude, codex]        # two or three instead of one agent: each does all, you take the best`;
