import {streamVendors} from '../../events/vendors.ts';
import {enumerated} from '../../lib/text/words.ts';

/** A plan with all keys; docs/plan.md shows it, and a test compares it with the schema. */
export const planText = `version: 1                          # of the plan format
task: Rate-limit the public API     # the purpose of the whole session; every agent is told
context: Express app in src/; tests with vitest.  # what every agent should know
success: [npm test passes, "p99 overhead < 1 ms"] # what holds when the task is done
target: main                        # the branch to merge into; default: the current one; a new name is created by the first merge
checkout: [src, test, docs, bench]  # folders that worktrees check out, with the files beside and above them; default: all
merge: squash                       # one commit for each merge; per-agent: one for each agent; default: as the config says
setup: [npm ci]                     # commands, run in each worktree before its agent starts, in the first one alone
copy: [.env.example, {from: .env, set: {PORT: "\${DELEGATE_PORT}"}}] # ignored files that each worktree gets a copy of
env: {DATABASE: "shop_\${DELEGATE_SLOT}"}  # environment variables of everything that runs in a worktree; no secrets
verify: [npm test]                  # commands that check the merged result before you approve it
verify_network: own                 # host: checks share your ports; own: a loopback of their own where the system allows it
verify_needs: [5432]                # ports of programs that you run, which checks may use
check: [npx tsc --noEmit]           # commands that tell what breaks together, while agents work
allow: {read: [~/.npmrc], sockets: [/run/docker.sock]}  # also write: further paths that are reachable where files are protected
supervision: supervised             # checkpoints wait for you; semi-autonomous: they don’t; or kind by kind, as below
resume: accepted                    # an agent that waits for others (after, or handed on) goes on once you accepted their work
conflicts: {overlap: note}          # ask: you decide on each file that two agents changed, also where git merges it
budget: $20                         # what all agents may spend before you are asked: dollars where they report them, or tokens
agents:
  - id: AGT-001                     # default: AGT-001 and on, in their order
    subtask: Token bucket middleware
    goal: Requests over the limit get a 429  # what done means for this agent
    scope:                          # where it may write; without "allowed" nowhere
      allowed: ["src/limit/**", "test/limit/**"]
      forbidden: ["src/limit/legacy/**"]
    agent: claude                   # a built-in agent, or a profile in the config
    behavior: .claude/agents/backend.md  # a file that says how to work; copied if git does not track it
    inputs: [docs/rate-limits.md]   # files to read first
    metrics: [coverage at least 90 %]  # what its result is measured by
    timeout: 1h                     # how long it may work; you are asked at four fifths, and then
    thinking: think                 # standard, think or think-hard: the effort of claude and codex
    supervision: {checkpoint: go, scope: stop}  # where it differs from the plan’s; see delegate-tui help policy
    resume: completed               # as soon as that work is complete, as semi-autonomous agents do
    tokens: 200000                  # how many tokens it may use before you are asked
    budget: $5                      # the same in dollars, where its agent reports them; you are asked at four fifths
    limits: {memory: 4096, cpu: 1h} # what its processes may use: the limits of the config, for this one
    output: docs/limits.md          # where its result belongs
    expect: [CREATED, SUMMARY]      # signals, one line each, that it should give
    mode: default                   # by its own name for it; one in which it asks before it acts
    images: [docs/limits.png]       # pictures in the repository that it is shown with its task
    from: 5a0c2d4e                  # a conversation that you began with this agent by hand: it is told what was said there
    uncommitted: true               # its worktree begins with the uncommitted changes of your checkout
    checkout: [src/limit, test/limit, docs] # where it differs from the plan’s
    mcp_servers:                    # MCP servers that it gets besides delegate-tui’s own
      - name: tickets
        command: [npx, tickets-mcp]
        env: [TICKETS_TOKEN]        # names only: the values come from the environment of its agent
      - name: docs
        url: https://docs.example.org/mcp   # on the network, over http or sse (type), where its agent supports that
        headers: {Authorization: DOCS_AUTH} # names of variables, too
  - subtask: Document the limits
    scope: {allowed: ["docs/**"]}
    after: [AGT-001]                # agents whose work this one waits for and builds on
    agent:                          # instead of a name: a built-in agent, with changes
      extends: codex
      command: [npx, codex-acp]     # how it is started here
      model: gpt-5.5                # by the agent’s own name for it
      trust: project                # it may load and run what the project keeps for it
      env: {NO_COLOR: "1"}          # added to its environment, never written to a journal
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
    best_of: [claude, codex]        # two or three agents instead of one: each does it all, you take the best`;
