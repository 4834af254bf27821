/** What a turn's script looks like, with every member once; a test plays it. */
export const turnHelp = `

Script of agent.turn (all but message may be left out; expect fails the command where it is not met):
${exampleScript()
	.split("\n")
	.map((line) => `  ${line}`.trimEnd())
	.join("\n")}`;

/** The script as YAML. */
export function exampleScript(): string {
	return `message: Tidy up.                # what the person says
thread: T-1                      # the active one, else a new one
session: true                    # whether session.start comes first
start: { expect: { messages: [] } }
tools:
  - tool: Bash                   # runs a plugin's tool of that name
    input: { cmd: ls }
    result: a.txt                # or error: in the place of the tool
    expect: { decision: allow, source: script, status: done, output: a.txt, input: { cmd: ls } }
    # decision: allow, modify, reject-and-continue, synthesize, error; gate: who decided; error: its text
reply: Done.                     # what the agent says at the end
end: { status: done, expect: { continue: false } }
rounds: []                       # start, tools, reply, end again, each time a plugin wants to continue`;
}
