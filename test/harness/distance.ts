import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Distance = { url: string; close: () => void }

/**
 * Starts a proxy in front of a server on this machine that simulates a network round trip of `roundTripMs`. Bytes in either direction are delayed by half of
 * it. The first bytes from the client are delayed by a whole one more, for the handshake.
 */
export async function atDistance(serverUrl: string, roundTripMs: number): Promise<Distance> {
  const target = new URL(serverUrl)
  const { hostname, port } = target
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    pass(near, far, roundTripMs)
    pass(far, near, 0)
  })
  const pass = (from: Socket, to: Socket, firstMs: number) => {
    sockets.add(from)
    // Each action waits for the previous one, because timers of different lengths may fire in another order.
    let before: Promise<unknown> = sleep(firstMs)
    const later = (action: () => void) => {
      before = Promise.all([before, sleep(roundTripMs / 2)]).then(action)
    }
    from
      .setNoDelay(true)
      .on('data', (chunk) => later(() => void to.write(chunk)))
      .on('end', () => later(() => void to.end()))
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(from)
        later(() => void to.destroy())
      })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href.replace(/\/$/, ''),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
