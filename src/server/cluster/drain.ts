import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { limits } from '../limits.ts'

export type Drain = {
  /** Whether the process is leaving: it is not ready any more, and no answer invites another request on its connection. */
  readonly begun: boolean
  /** Whether the request has to wait a moment; `start` is called after it. */
  holds: (start: () => void) => boolean
  /** An answer is being made, so that it says so too if the end begins meanwhile. */
  answering: (response: ServerResponse) => void
  /**
   * Resolves when every connection has ended. New ones are taken for a second more, since whoever sends them has to learn that
   * this process leaves. `patient` waits for kept connections until no client believes in them any longer.
   */
  end: (how: { patient: boolean }) => Promise<void>
}

const shortTurnMs = 0.5
const quietTurns = 3

/**
 * What the kernel has taken for us and we have not yet is reset when listening ends, and a turn of the event loop takes one connection:
 * so that is to be done when several short turns brought nobody, which this waits for, until `until` at most. `taken` counts who came.
 */
export async function quietMoment(taken: () => number, until: number): Promise<void> {
  for (let quiet = 0; quiet < quietTurns && performance.now() < until; ) {
    const [before, since] = [taken(), performance.now()]
    await turn()
    quiet = before === taken() && performance.now() - since < shortTurnMs ? quiet + 1 : 0
  }
}

/** Ends a server without resetting a request (decision 026). `leave` is what a server does that does not listen itself. */
export function drainOf(server: Server, leave?: () => Promise<void>): Drain {
  const { acceptMs, quietMs, drainMs } = limits.http
  const unanswered = new Set<ServerResponse>()
  const open = new Set<Socket>()
  const { promise: isEmpty, resolve: empty } = Promise.withResolvers<void>()
  let begun = false
  let isClosed = false
  let taken = 0
  let held: (() => void)[] | undefined
  const look = () => isClosed && open.size === 0 && empty()
  server.on('connection', (socket) => {
    taken++
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      look()
    })
  })

  return {
    get begun() {
      return begun
    },
    holds: (start) => held !== undefined && held.push(start) > 0,
    answering: (response) => {
      unanswered.add(response)
      response.once('close', () => unanswered.delete(response))
    },
    end: async ({ patient }) => {
      begun = true
      const deadline = performance.now() + drainMs
      for (const response of unanswered) response.shouldKeepAlive = false
      if (patient) await sleep(acceptMs)
      if (leave) await leave()
      else {
        // Requests wait meanwhile, so that turns are short.
        held = []
        await quietMoment(() => taken, performance.now() + quietMs)
        NetServer.prototype.close.call(server)
        const waiting = held
        held = undefined
        for (const start of waiting) start()
      }
      isClosed = true
      look()
      // `server.close` of HTTP would cut kept connections, on which a request may be under way.
      if (!patient) server.closeIdleConnections()
      const overdue = setTimeout(() => server.closeAllConnections(), deadline - performance.now())
      await isEmpty
      clearTimeout(overdue)
    },
  }
}
