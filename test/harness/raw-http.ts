import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpServer, requestListener } from '#server/http/http-server.ts'
import type { Admission } from '#server/overload/admission.ts'
import type { TestApp } from './app.ts'

export type RawResponse = { status: number; headers: IncomingHttpHeaders; text: string }
export type RawRequest = { method: string; path: string; headers?: Record<string, string>; body?: string }
/** An app that listens on a real port. Request paths are sent unchanged, without normalization. */
export type RawApp = {
  server: Server
  port: number
  send: (request: RawRequest) => Promise<RawResponse>
  close: () => Promise<void>
}

/** Makes the app listen on a free port of the loopback interface. */
export async function listenRaw(
  {
    app,
    responseCache,
    answerDirectly,
    context,
  }: Pick<TestApp, 'app' | 'responseCache' | 'answerDirectly' | 'context'>,
  admission?: Admission,
): Promise<RawApp> {
  const server = httpServer(context.config).on(
    'request',
    requestListener({ hono: app, responseCache, answerDirectly }, context.config, admission ? { admission } : {}),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const ask: RawApp['send'] = ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method,
          path,
          headers: { origin: context.config.publicUrl, ...length, ...headers },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
          response.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    server,
    port,
    send: ask,
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
