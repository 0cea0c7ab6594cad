import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Address } from '#server/db/connect.ts'

export type Passage = {
  /** The same database, through the proxy. */
  address: Address
  /** Simulates a broken cable: no data passes, and no side gets an error. */
  freeze: () => void
  thaw: () => void
  /** As if the server were gone: connections are reset, new ones refused until `listen`. */
  close: () => Promise<void>
  listen: () => Promise<void>
}

/** Stands between a pool and its database, to take that away. With `change`, a stream through which all goes that the database sends. */
export async function proxyTo(address: Address, change?: () => Duplex): Promise<Passage> {
  const ends = new Map<Socket, Socket>()
  let frozen = false
  const server = createServer((near) => {
    const far = upstream(address)
    ends.set(near, far).set(far, near)
    for (const [from, to] of [...ends].slice(-2)) {
      if (!frozen) (change && from === far ? from.pipe(change()) : from).pipe(to)
      from
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
      // Only TCP knows a reset.
      if (socket.remotePort) socket.resetAndDestroy()
      else socket.destroy()
    }
    server.close()
    await once(server, 'close')
  }
  onTestFinished(close)
  return {
    address: through(address, port),
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

function upstream(address: Address): Socket {
  if (typeof address !== 'string') return connect(`${address.host}/.s.PGSQL.${address.port}`)
  const { hostname, port } = new URL(address)
  return connect(Number(port || 5432), hostname)
}

function through(address: Address, port: number): Address {
  if (typeof address !== 'string') return { ...address, host: '127.0.0.1', port }
  const url = new URL(address)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
