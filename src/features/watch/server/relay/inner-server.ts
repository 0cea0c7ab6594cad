import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import type { RelayContext } from './play.ts'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, context: RelayContext) => void
const names = new WeakMap<RelayContext['config'], Promise<string>>()
let answer: Listener = (_, outgoing) => void outgoing.writeHead(404).end()

/** Sets the function that answers the requests of other processes. */
export function answerOtherProcesses(next: Listener): void {
  answer = next
}

/** Returns the name of this process for other processes: `HOST|PORT` of its server on the loopback address. The first call starts the server. */
export function relayName(context: RelayContext): Promise<string> {
  const known = names.get(context.config) ?? listen(context)
  names.set(context.config, known)
  return known
}

async function listen(context: RelayContext): Promise<string> {
  const server = createServer((incoming, outgoing) => answer(incoming, outgoing, context))
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `${hostname()}|${(server.address() as AddressInfo).port}`
}

/** Returns the port of the process with this name; undefined if the process runs on another machine. */
export function portOnThisMachine(name: string): number | undefined {
  const [host, port] = name.split('|')
  return host === hostname() ? Number(port) : undefined
}
