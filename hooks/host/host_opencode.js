// Hands what happens in OpenCode to acta, and what acta says to the model. `acta init --agent opencode` writes this
// block anew: what it keeps of yours is the line of the command.
import { execFile, spawnSync } from "node:child_process"

const command = "acta agent hook --host opencode"
const guard = false // true: acta is asked before a tool runs, too (acta init --guard)
const guarded = ["bash", "write", "edit", "apply_patch"]

const [program, ...words] = command.split(" ")
const options = { encoding: "utf8", timeout: 10_000, windowsHide: true }

// An acta that is missing, or fails, says nothing and is in nobody's way.
const text = (answer) => JSON.parse(answer).text ?? ""

const ask = (event) =>
  new Promise((done) => {
    const child = execFile(program, words, { ...options, cwd: event.cwd }, (_, answer) => done(answer))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
    .then(text)
    .catch(() => "")

const askNow = (event) => {
  const call = { ...options, cwd: event.cwd, input: JSON.stringify(event) }
  try {
    return text(spawnSync(program, words, call).stdout)
  } catch {
    return ""
  }
}

// What goes wrong in a hook of this plugin, in whatever version of OpenCode, is in nobody's way either.
const quietly = (hook) => async (...of) => {
  try {
    return await hook(...of)
  } catch {}
}

export const Acta = async ({ client, directory }) => {
  const parents = new Map() // of each session that was met, "" for none
  const turns = new Map() // the last message of the model in each session
  const tokens = new Map() // those that were used since acta was told
  const held = new Set() // the sessions that acta keeps from ending their turn

  const parentOf = async (id) => {
    if (!parents.has(id)) {
      const session = await client.session.get({ path: { id } }).catch(() => ({}))
      parents.set(id, session.data?.parentID ?? "")
    }
    return parents.get(id)
  }

  // A sub-agent works in a session of its own, for the one in which a person speaks.
  const event = async (name, id, more) => {
    let root = id
    for (let parent; (parent = await parentOf(root)); ) root = parent
    const agent = root === id ? {} : { agent_id: id, agent_type: turns.get(id)?.info.agent }
    return { hook_event_name: name, session_id: root, cwd: directory, ...agent, ...more }
  }

  const spent = (id) => {
    const used = tokens.get(id)
    tokens.delete(id)
    return used
  }

  // The turn ends with this step. A run without a user ends as soon as no message is newer, so that nothing else may
  // happen before acta has answered.
  const stop = ({ info, said }) => {
    const id = info.sessionID
    const event = { hook_event_name: "session.idle", session_id: id, cwd: directory, tokens: spent(id) }
    const reason = askNow({ ...event, last_assistant_message: said, stop_hook_active: held.has(id) })
    if (!reason) return
    held.add(id)
    const { agent, providerID, modelID } = info
    const body = { agent, model: { providerID, modelID }, parts: [{ type: "text", text: reason, synthetic: true }] }
    client.session.prompt({ path: { id }, body }).catch(() => {})
  }

  const happened = {
    "message.updated": ({ info }) => {
      if (info.role !== "assistant") return
      const turn = turns.get(info.sessionID)
      turns.set(info.sessionID, turn?.info.id === info.id ? { ...turn, info } : { info, said: "", uses: false })
    },
    "message.part.updated": ({ part }) => {
      const turn = turns.get(part.sessionID)
      if (turn?.info.id !== part.messageID) return
      if (part.type === "tool") turn.uses = true
      if (part.type === "text") turn.said = part.text
      if (part.type !== "step-finish") return
      const { input, output, reasoning, cache } = part.tokens
      const used = tokens.get(part.sessionID) ?? { input: 0, output: 0 }
      used.input += input + cache.read + cache.write
      used.output += output + reasoning
      tokens.set(part.sessionID, used)
      const goesOn = turn.uses || turn.info.summary || ["tool-calls", "unknown"].includes(part.reason)
      if (!goesOn && parents.get(part.sessionID) === "") stop(turn)
    },
  }

  const veto = quietly(async ({ tool, sessionID, callID }, { args }) => {
    if (!guard || !guarded.includes(tool)) return
    const use = { tool_name: tool, tool_use_id: callID, tool_input: args }
    return await ask(await event("tool.execute.before", sessionID, use))
  })

  return {
    event: quietly(({ event }) => happened[event.type]?.(event.properties)),

    "chat.message": quietly(async ({ sessionID }, { message, parts }) => {
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic)
      const isNew = !parents.has(sessionID)
      if ((await parentOf(sessionID)) || !texts.length) return // no person's
      held.delete(sessionID)
      const prompt = texts.map((part) => part.text).join("\n")
      const names = isNew ? ["session.created", "chat.message"] : ["chat.message"]
      for (const name of names) {
        const line = await ask(await event(name, sessionID, { prompt }))
        const id = parts.at(-1).id + "0" // comes behind the others
        if (line) parts.push({ id, sessionID, messageID: message.id, type: "text", text: line, synthetic: true })
      }
    }),

    "tool.execute.before": async (...of) => {
      const reason = await veto(...of)
      if (reason) throw new Error(reason)
    },

    "tool.execute.after": quietly(async ({ tool, sessionID, callID, args }, result) => {
      const tool_response = { output: result?.output, metadata: result?.metadata }
      const use = { tool_name: tool, tool_use_id: callID, tool_input: args, tool_response }
      const wrong = await ask(await event("tool.execute.after", sessionID, use))
      if (!wrong || !result) return
      if (Array.isArray(result.content)) result.content.push({ type: "text", text: wrong }) // of an MCP server
      else result.output += "\n\n" + wrong
    }),

    dispose: quietly(() => {
      for (const [id, parent] of parents)
        if (!parent) askNow({ hook_event_name: "dispose", session_id: id, cwd: directory, tokens: spent(id) })
    }),
  }
}
