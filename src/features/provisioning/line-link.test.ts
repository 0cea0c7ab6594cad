import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog, lines, sessions } from '#server/db/tables.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { createLineLink, getOwnLine, openLineLink } from './contract.ts'

let world: ProvisioningWorld
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(() => world.reset())

async function viewer() {
  const { client, user } = await world.app.signIn()
  await world.pay(user.id)
  await world.choosePanel('xui-admin')
  await world.run()
  return { client, user, link: () => client.call(createLineLink, {}) }
}
const phone = () => world.app.client()
const open = (token: string) => phone().call(openLineLink, { body: { token } })
const refused = { status: 400, code: 'used_link' }

test('without a line there is no link', async () => {
  const { client } = await world.app.signIn()
  await expect(client.call(createLineLink, {})).rejects.toMatchObject({ status: 409, code: 'no_line' })
})

test('an invalid, an expired and a replaced link show nothing', async () => {
  const { link, user } = await viewer()
  await expect(open('x'.repeat(43))).rejects.toMatchObject(refused)
  const first = await link()
  const second = await link()
  await expect(open(first.token)).rejects.toMatchObject(refused)
  await world.app.db
    .update(lines)
    .set({ linkExpiresAt: sql`now() - interval '1 second'` })
    .where(eq(lines.userId, user.id))
  await expect(open(second.token)).rejects.toMatchObject(refused)
})

test('a link ends with the session that created it', async () => {
  const { link, user } = await viewer()
  const { token } = await link()
  await world.app.db.delete(sessions).where(eq(sessions.userId, user.id))
  await expect(open(token)).rejects.toMatchObject(refused)
})

test('one of several devices that open a link at the same time gets the login, with an audit entry', async () => {
  const { link, user, client } = await viewer()
  const { token, until } = await link()
  expect(await client.call(getOwnLine, {})).toMatchObject({ linkUntil: until })
  const answers = await Promise.allSettled([open(token), open(token), open(token)])
  const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const own = await client.call(getOwnLine, {})
  expect(shown).toEqual([
    { server: own?.server, username: own?.username, password: expect.stringMatching(/^\w{14}$/), xtream: true },
  ])
  expect(own).toMatchObject({ linkUntil: null })
  const entries = await world.app.db.select().from(auditLog).where(eq(auditLog.action, 'line.reveal'))
  expect(entries.filter(({ actorId }) => actorId === user.id)).toHaveLength(1)
  await expect(open(token)).rejects.toMatchObject(refused)
})

test('only the hash of a link is stored', async () => {
  const { link, user } = await viewer()
  const { token } = await link()
  const [row] = await world.app.db.select().from(lines).where(eq(lines.userId, user.id))
  expect(JSON.stringify(row)).not.toContain(token)
  expect(row?.linkHash).toHaveLength(32)
})
