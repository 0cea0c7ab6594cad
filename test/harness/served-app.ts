import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { httpServer, requestListener } from '#server/http/http-server.ts'
import type { TestApp } from './app.ts'

export type ServedApp = {
  url: string
  port: number
  /** Returns the number of connections opened so far. */
  opened: () => number
  /** Returns the number of open connections. */
  open: () => number
  close: () => void
}

/** Makes a test app listen on a local port, like a process of the app. */
export async function serveApp({
  app,
  responseCache,
  answerDirectly,
  context: { config },
}: TestApp): Promise<ServedApp> {
  const server = httpServer(config)
  server.on('request', requestListener({ hono: app, responseCache, answerDirectly }, config))
  let opened = 0
  let open = 0
  server.on('connection', (socket) => {
    opened++
    open++
    socket.once('close', () => open--)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    opened: () => opened,
    open: () => open,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
