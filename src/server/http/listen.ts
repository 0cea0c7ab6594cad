import type { Server } from 'node:net'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'

/** Takes connections at the operator's address. Throws when it cannot be had. */
export const listen = (server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> =>
  new Promise((resolve, reject) =>
    server.once('error', reject).listen({ host, port, backlog: limits.http.backlog }, resolve),
  )
