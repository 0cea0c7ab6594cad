import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '#server/app.ts'
import { rows } from '../harness/access-rows.ts'
import { createWorld, type World } from '../harness/access-world.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import { forgedHeaders } from '../harness/forged-requests.ts'
import { isFullSize, variantsOfCase } from '../harness/scale.ts'
import { recordTableWrites, type TableWrites } from '../harness/table-writes.ts'

let app: TestApp
let world: World
let tableWrites: TableWrites
beforeAll(async () => {
  app = await buildApp()
  world = await createWorld(app, [
    await createPlan(app.db, { connections: 1 }),
    await createPlan(app.db, { connections: 2, price: 3_000 }),
  ])
  tableWrites = await recordTableWrites(app.database.pool)
})
afterAll(() => app.close())

const writes = endpoints
  .filter((endpoint) => endpoint.method !== 'GET')
  .map((endpoint, index) => [endpoint.id, endpoint, index] as const)

const otherTypes = [
  'text/plain',
  'text/plain;application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=latin1',
  '',
]

/** The short form sends each kind of forged request to one in seven endpoints. The number is odd so that each share contains both content types. */
const headerShare = 7

/** Returns a valid write request to an endpoint, and a client that is allowed to send it. */
async function validRequest(id: string, path: string) {
  const row = rows[id]!
  const { client } = row.owner < 400 ? world.owner : world.admin
  const query = row.query?.(world) ?? ''
  const body = JSON.stringify((await row.body?.(world)) ?? {})
  return {
    client,
    path: path.replace(/:(\w+)/g, (_whole, name: string) => String(world.pathParams[name] ?? 1)) + query,
    body,
  }
}

test.each(writes)(
  '%s refuses every request from a foreign page and changes nothing',
  async (id, { method, path, signedBy, calledByMailPrograms }, index) => {
    const { client, path: address, body } = await validRequest(id, path)
    await tableWrites.take()
    let refused = 0
    for (const { 'content-type': type, ...headers } of variantsOfCase(forgedHeaders, headerShare, index)) {
      // A request with neither header comes from another server, not from a page. These endpoints accept it if it is signed or has a valid token.
      const isFromServer = headers.origin === null && headers['sec-fetch-site'] === null
      if ((signedBy || calledByMailPrograms) && isFromServer) continue
      const response = await client.request(address, {
        method,
        body,
        headers: { ...headers, host: 'localhost:3000', 'content-type': type },
      })
      expect([response.status, await response.json()], JSON.stringify([headers, type])).toMatchObject([
        403,
        { code: 'foreign_origin' },
      ])
      refused++
    }
    expect(refused).toBeGreaterThanOrEqual(isFullSize ? 151 : 151 / headerShare - 1)
    expect(await tableWrites.take()).toEqual([])
  },
)

test.each(writes.filter(([, endpoint]) => endpoint.body && !endpoint.signedBy))(
  '%s accepts only JSON',
  async (id, { method, path }, index) => {
    const { client, path: address, body } = await validRequest(id, path)
    for (const type of variantsOfCase(otherTypes, 3, index))
      expect((await client.request(address, { method, body, headers: { 'content-type': type } })).status, type).toBe(
        415,
      )
  },
)
