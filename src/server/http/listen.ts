import type { Server } from 'node:net'
import type { Config } from '../config.ts'
import { limits } from '../limits.ts'

/** Listens on the configured host and port. Rejects when that is not possible. */
export const listen = (server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> =>
  new Promise((resolve, reject) =>
    server.once('error', reject).listen({ host, port, backlog: limits.http.backlog }, resolve),
  )
