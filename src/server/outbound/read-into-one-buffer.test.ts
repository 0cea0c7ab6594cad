import { once } from 'node:events'
import http, { type IncomingMessage, type RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { localCertificate } from '../../../test/harness/certificate.ts'
import { readIntoOneBuffer } from './read-into-one-buffer.ts'

const bodyOf = (path: string) => Buffer.alloc(1_000_000, `${path} is one of several bodies. `)
/** Sends the body for the path. Every second body is sent in chunks, without a content-length header. */
const respond: RequestListener = (request, response) => {
  const body = bodyOf(request.url ?? '')
  const first = request.url?.endsWith('1') ? 300_000 : 0
  if (first > 0) response.write(body.subarray(0, first))
  response.end(body.subarray(first))
}

test.each(['http', 'https'])(
  'bodies that are read at the same time over %s, with pauses, are not mixed up',
  async (scheme) => {
    const { key, cert } = localCertificate()
    const server = scheme === 'http' ? http.createServer(respond) : https.createServer({ key, cert }, respond)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { request } = scheme === 'http' ? http : https
    const { port } = server.address() as AddressInfo
    const options = { agent: false as const, ca: cert, ...readIntoOneBuffer }
    const paths = Array.from({ length: 20 }, (_, n) => `/${n}/${n % 2}`)
    const read = await Promise.all(
      paths.map(async (path, n) => {
        const sent = request(`${scheme}://localhost:${port}${path}`, options).end()
        const [body] = (await once(sent, 'response')) as [IncomingMessage]
        const chunks: Buffer[] = []
        body.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if ((chunks.length + n) % 3 > 0) return
          body.pause()
          setTimeout(() => body.resume(), n % 5)
        })
        await once(body, 'end')
        return Buffer.concat(chunks).equals(bodyOf(path))
      }),
    )
    expect(read).toEqual(paths.map(() => true))
  },
)
