import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Messages from a worker to the primary process: `ready`: the worker accepts connections; `draining`: it no longer does. */
export type WorkerMessage = 'ready' | 'draining'

/** In a worker: receives connections from the primary process instead of listening. */
export function receiveConnections(server: Server): void {
  let open = 0
  process.on('message', (message, socket: Socket | undefined) => {
    if (message !== 'connection' || !socket) return
    if (open >= server.maxConnections) {
      socket.destroy()
      return
    }
    open++
    socket.once('close', () => open--)
    // The same options that a listening HTTP server sets.
    socket.allowHalfOpen = true
    socket.setNoDelay(true)
    server.emit('connection', socket)
    socket.resume()
  })
  // The primary process has ended, so no more connections will arrive.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // Node starts its request timeouts on this event.
  server.emit('listening')
  sendToPrimary('ready')
}

/** In a worker that is shutting down: asks the primary process to send no more connections. Resolves when no connection is in transit. */
export async function stopTakingConnections(): Promise<void> {
  if (!process.connected) return
  const released = new Promise<void>((resolve) => {
    process.on('message', (message) => message === 'released' && resolve())
    process.once('disconnect', resolve)
  })
  sendToPrimary('draining')
  await released
}

const sendToPrimary = (message: WorkerMessage): void => void process.send?.(message)
