import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lines } from '#server/db/tables.ts'
import { localCertificate } from '../harness/certificate.ts'
import { segmentOf } from '../harness/fake-streams.ts'
import { nginx } from '../harness/nginx.ts'
import { type NginxWorld, nginxWorld } from '../harness/nginx-world.ts'

// Needs Debian's package `nginx` (or `nginx-light`); the tests are skipped if it is not installed.
describe.runIf(nginx)('segments that nginx fetches over TLS', () => {
  const trusted = localCertificate()
  const ofOtherName = localCertificate('other.test')
  const untrusted = localCertificate()
  const servers: Server[] = []
  const received: string[] = []
  let front: NginxWorld

  beforeAll(async () => {
    front = await nginxWorld({ ca: trusted.cert + ofOtherName.cert })
    const { db } = front.world.app
    // Only the panel host may have a private address.
    await db.update(lines).set({ server: front.world.panel.url.replace('127.0.0.1', 'localhost') })
  }, 90_000)
  afterAll(async () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    await front?.close()
  })

  test.each<[string, ReturnType<typeof localCertificate>, number]>([
    ['arrive if the server has a trusted certificate for its name', trusted, 200],
    ['are refused if the server has a certificate for another name', ofOtherName, 502],
    ['are refused if the server has an untrusted certificate', untrusted, 502],
  ])('%s', async (_, certificate, status) => {
    const server = createServer(certificate, (request, response) => {
      received.push(request.headers.host ?? '')
      response.end(segmentOf(0))
    })
    servers.push(server)
    server.listen(0, '::')
    await once(server, 'listening')
    received.length = 0
    const { port } = server.address() as AddressInfo
    const [address] = await front.segments(`https://localhost:${port}/1.ts`)
    const response = await fetch(front.url + address)
    expect(response.status).toBe(status)
    expect((await response.arrayBuffer()).byteLength === segmentOf(0).length).toBe(status === 200)
    expect(received).toEqual(status === 200 ? [`localhost:${port}`] : [])
  })
})
