import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Duplex, Transform } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Address } from '#server/db/connect.ts'

export type TestProxy = {
  /** The address at which the proxy listens. */
  address: Address
  /** Simulates a disconnected cable: no data passes, and neither side gets an error. */
  freeze: () => void
  thaw: () => void
  /** Simulates a stopped server: resets connections and refuses new ones until `listen`. */
  close: () => Promise<void>
  listen: () => Promise<void>
}

/**
 * Starts a proxy in front of a database or another server, so that a test can interrupt the connections. With `change`, everything the server sends
 * passes through that stream.
 */
export async function proxyTo(address: Address, change?: () => Duplex): Promise<TestProxy> {
  const ends = new Map<Socket, Socket>()
  let frozen = false
  const server = createServer((near) => {
    const far = connectUpstream(address)
    ends.set(near, far).set(far, near)
    for (const [from, to] of [...ends].slice(-2)) {
      if (!frozen) (change && from === far ? from.pipe(change()) : from).pipe(to)
      // Otherwise a small message could wait up to 40 ms for the acknowledgement of the previous one.
      from
        .setNoDelay()
        .on('error', () => {})
        .on('close', () => {
          ends.delete(from)
          to.destroy()
        })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    if (!server.listening) return
    for (const socket of ends.keys()) {
      // Only TCP sockets can be reset.
      if (socket.remotePort) socket.resetAndDestroy()
      else socket.destroy()
    }
    server.close()
    await once(server, 'close')
  }
  onTestFinished(close)
  return {
    address: proxiedAddress(address, port),
    freeze: () => {
      frozen = true
      for (const [from, to] of ends) from.unpipe(to).pause()
    },
    thaw: () => {
      frozen = false
      for (const [from, to] of ends) from.pipe(to)
    },
    close,
    listen: async () => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

function connectUpstream(address: Address): Socket {
  if (typeof address !== 'string') return connect(`${address.host}/.s.PGSQL.${address.port}`)
  const { hostname, port } = new URL(address)
  return connect(Number(port || 5432), hostname)
}

function proxiedAddress(address: Address, port: number): Address {
  if (typeof address !== 'string') return { ...address, host: '127.0.0.1', port }
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

/** Delays what follows the rows of a COPY: the server reports the number of rows only there. */
export const splitAfterCopies = () =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const copyDone = chunk.indexOf(Buffer.from('c\0\0\0\x04', 'latin1'))
      if (copyDone < 0) return done(null, chunk)
      this.push(chunk.subarray(0, copyDone + 5))
      setTimeout(() => done(null, chunk.subarray(copyDone + 5)), 5)
    },
  })
