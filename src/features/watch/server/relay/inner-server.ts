import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { getRequestListener } from '@hono/node-server'
import type { RelayContext } from './play.ts'

type Answer = (request: Request, context: RelayContext) => Promise<Response>
const names = new WeakMap<RelayContext['config'], Promise<string>>()
let answer: Answer = () => Promise.resolve(new Response(null, { status: 404 }))

/** Sets the function that answers the requests of other processes. */
export function answerOtherProcesses(next: Answer): void {
  answer = next
}

/** The name of this process for others on the same machine: `HOST|PORT` of a server on the loopback address, which starts with the first call. */
export function relayName(context: RelayContext): Promise<string> {
  const known = names.get(context.config) ?? listen(context)
  names.set(context.config, known)
  return known
}

async function listen(context: RelayContext): Promise<string> {
  const server = createServer(
    getRequestListener((request) => answer(request, context), { overrideGlobalObjects: false }),
  )
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `${hostname()}|${(server.address() as AddressInfo).port}`
}

/** The port of the process with this name; undefined if it runs on another machine. */
export function portOnThisMachine(name: string): number | undefined {
  const [host, port] = name.split('|')
  return host === hostname() ? Number(port) : undefined
}
