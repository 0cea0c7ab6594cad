import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { limits } from '../limits.ts'

export type Drain = {
  /** Whether the process is shutting down: it reports not ready, and responses close their connection. */
  readonly begun: boolean
  /** Returns true if the request must wait briefly; `start` is then called later. */
  delay: (start: () => void) => boolean
  /** Registers a response in progress, so that it closes its connection if shutdown begins before it is sent. */
  track: (response: ServerResponse) => void
  /**
   * Stops accepting connections and resolves when every connection is closed. With `patient`, it first accepts new ones
   * for another second, until load balancers have noticed, and later waits for idle keep-alive connections until their
   * timeout.
   */
  end: (how: { patient: boolean }) => Promise<void>
}

const shortTurnMs = 0.5
const quietTurns = 3

/**
 * Waits until the kernel's backlog is probably empty, at most until `until` (`performance.now()` time). When a server stops listening, the
 * kernel resets the connections still in the backlog. The event loop accepts one connection per turn, so several short turns without a new
 * one mean that the backlog is empty. `accepted` returns the number of accepted connections.
 */
export async function waitForEmptyBacklog(accepted: () => number, until: number): Promise<void> {
  for (let quietTurnsSoFar = 0; quietTurnsSoFar < quietTurns && performance.now() < until; ) {
    const [before, since] = [accepted(), performance.now()]
    await turn()
    quietTurnsSoFar = before === accepted() && performance.now() - since < shortTurnMs ? quietTurnsSoFar + 1 : 0
  }
}

/**
 * Shuts a server down without resetting a request (decision 026). `stopTaking` replaces closing the port in a worker that does not listen
 * itself.
 */
export function createDrain(server: Server, stopTaking?: () => Promise<void>): Drain {
  const { acceptMs, quietMs, drainMs } = limits.http
  const unanswered = new Set<ServerResponse>()
  const open = new Set<Socket>()
  const { promise: isEmpty, resolve: empty } = Promise.withResolvers<void>()
  let begun = false
  let isClosed = false
  let accepted = 0
  let delayed: (() => void)[] | undefined
  const resolveWhenEmpty = () => isClosed && open.size === 0 && empty()
  server.on('connection', (socket) => {
    accepted++
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      resolveWhenEmpty()
    })
  })

  return {
    get begun() {
      return begun
    },
    delay: (start) => delayed !== undefined && delayed.push(start) > 0,
    track: (response) => {
      unanswered.add(response)
      response.once('close', () => unanswered.delete(response))
    },
    end: async ({ patient }) => {
      begun = true
      const deadline = performance.now() + drainMs
      for (const response of unanswered) response.shouldKeepAlive = false
      if (patient) await sleep(acceptMs)
      if (stopTaking) await stopTaking()
      else {
        // Requests are delayed, so that event-loop turns stay short.
        delayed = []
        await waitForEmptyBacklog(() => accepted, performance.now() + quietMs)
        NetServer.prototype.close.call(server)
        const waiting = delayed
        delayed = undefined
        for (const start of waiting) start()
      }
      isClosed = true
      resolveWhenEmpty()
      // Not the `close` of the HTTP server: it would close keep-alive connections on which a request may be arriving.
      if (!patient) server.closeIdleConnections()
      const overdue = setTimeout(() => server.closeAllConnections(), deadline - performance.now())
      await isEmpty
      clearTimeout(overdue)
    },
  }
}
