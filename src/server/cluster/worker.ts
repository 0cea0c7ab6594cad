import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** What a server process says to the one that looks after it: connections are welcome, or no longer. */
export type WorkerMessage = 'ready' | 'leaving'

/** In a process that shares its port with others: takes the connections that `supervise` hands over, in the place of listening. */
export function takeConnections(server: Server): void {
  let open = 0
  process.on('message', (message, socket: Socket | undefined) => {
    if (message !== 'connection' || !socket) return
    if (open >= server.maxConnections) {
      socket.destroy()
      return
    }
    open++
    socket.once('close', () => open--)
    // As a server does for those it accepts itself.
    socket.allowHalfOpen = true
    socket.setNoDelay(true)
    server.emit('connection', socket)
    socket.resume()
  })
  // Whoever looks after this process is gone, and nobody hands it anything any more.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  // Node sets up the time limits of requests with it.
  server.emit('listening')
  say('ready')
}

/** Asks for no more connections, since this process ends; resolves when none is on its way any more. */
export async function leave(): Promise<void> {
  if (!process.connected) return
  const left = new Promise<void>((resolve) => {
    process.on('message', (message) => message === 'left' && resolve())
    process.once('disconnect', resolve)
  })
  say('leaving')
  await left
}

const say = (word: WorkerMessage): void => void process.send?.(word)
