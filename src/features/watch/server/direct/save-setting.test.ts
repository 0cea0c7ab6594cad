import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../../../test/harness/app.ts'
import { getDirect, setDirect } from '../../admin-direct-contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  await admin.client.call(setDirect, { body: { enabled: true, hosts: ['first.example'], version: 1 } })
})
afterAll(() => app.close())

describe('the setting', () => {
  const issuesOf = async (enabled: boolean, hosts: string[]) => {
    const { version } = await admin.client.call(getDirect, {})
    return admin.client.call(setDirect, { body: { enabled, hosts, version } }).then(
      () => [],
      ({ issues }) => issues.map(({ path }: { path: string }) => path),
    )
  }
  test('is refused with the position of each invalid host', async () => {
    expect(
      await issuesOf(true, ['edge.example', 'https://edge.example', 'edge.example/path', '*.edge.example', 'a b', '']),
    ).toEqual(['hosts.1', 'hosts.2', 'hosts.3', 'hosts.4', 'hosts.5'])
    expect(await issuesOf(true, [])).toEqual(['hosts'])
    expect(
      await issuesOf(
        true,
        Array.from({ length: 21 }, (_, n) => `edge${n}.example`),
      ),
    ).toEqual(['hosts'])
    expect(await issuesOf(true, ['edge.example', 'localhost:3000'])).toEqual(['hosts.1'])
    expect((await admin.client.call(getDirect, {})).hosts).toEqual(['first.example'])
  })

  test('is stored without duplicates, with hosts as browsers write them, and audited; a concurrent change is not overwritten', async () => {
    const { version } = await admin.client.call(getDirect, {})
    const body = { enabled: true, hosts: ['EDGE.example:443', 'edge.example', 'two.example:8443'], version }
    await admin.client.call(setDirect, { body })
    expect(await admin.client.call(getDirect, {})).toMatchObject({
      enabled: true,
      hosts: ['edge.example', 'two.example:8443'],
    })
    const audited = await app.db.select().from(auditLog).where(eq(auditLog.action, 'watching.direct'))
    expect(audited.at(-1)).toMatchObject({
      before: { enabled: true, hosts: ['first.example'] },
      after: { enabled: true, hosts: ['edge.example', 'two.example:8443'] },
    })
    await expect(admin.client.call(setDirect, { body })).rejects.toMatchObject({ status: 409, code: 'stale' })
  })
})
