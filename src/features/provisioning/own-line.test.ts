import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lineJobs, lines, mails } from '#server/db/tables.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { getOwnLine, markLineUsed } from './contract.ts'

let world: ProvisioningWorld
beforeAll(async () => {
  world = await provisioningWorld()
})
afterAll(() => world.app.close())
beforeEach(() => world.reset())

async function buyer() {
  const { client, user } = await world.app.signIn()
  await world.pay(user.id)
  return { id: user.id, line: () => client.call(getOwnLine, {}), use: () => client.call(markLineUsed, {}) }
}
const readyMails = (userId: number) =>
  world.app.db.$count(mails, sql`${mails.userId} = ${userId} and ${mails.template} = 'line_ready'`)
const login = { username: 'tv-1', password: 'Canary+1', server: 'http://tv.example' }
const enter = async (userId: number, username: string) => {
  const [job] = await world.jobsOf(userId)
  return world.admin.client.post(`/api/admin/lines/${job!.id}/made`, { ...login, username })
}

test('without a line there is no setup to end', async () => {
  const { client } = await world.app.signIn()
  expect(await client.call(getOwnLine, {})).toBeNull()
  expect(await client.call(markLineUsed, {})).toEqual({ used: true })
  expect(await client.call(getOwnLine, {})).toBeNull()
})

test('customers whose lines are created manually see how many are ahead, and how long recent purchases waited', async () => {
  await world.choosePanel('manual')
  const [first, second] = [await buyer(), await buyer()]
  await world.run(null)
  expect(await first.line()).toMatchObject({ state: 'manual', progress: { ahead: 0, typicalMinutes: null } })
  expect(await second.line()).toMatchObject({ state: 'manual', progress: { ahead: 1, typicalMinutes: null } })
  await world.app.db
    .update(lineJobs)
    .set({ createdAt: sql`now() - interval '10 minutes 20 seconds'` })
    .where(eq(lineJobs.userId, first.id))
  expect((await enter(first.id, 'tv-1')).status).toBe(200)
  expect(await first.line()).toMatchObject({ state: 'ready', username: 'tv-1', progress: null, used: false })
  expect((await first.line())?.createdInSeconds).toBeGreaterThanOrEqual(620)
  expect((await second.line())?.createdInSeconds).toBeNull()
  expect(await second.line()).toMatchObject({ state: 'manual', progress: { ahead: 0, typicalMinutes: 11 } })
})

test('the password of a manual line may contain spaces, but not begin or end with one', async () => {
  await world.choosePanel('manual')
  const customer = await buyer()
  await world.run(null)
  const [job] = await world.jobsOf(customer.id)
  const made = `/api/admin/lines/${job!.id}/made`
  for (const password of [' open sesame', 'open sesame ', ' ', 'open\tsesame', 'ö'])
    expect((await world.admin.client.post(made, { ...login, password })).status).toBe(400)
  expect((await world.admin.client.post(made, { ...login, password: 'open  sesame 1' })).status).toBe(200)
  expect(await customer.line()).toMatchObject({ state: 'ready', username: login.username })
})

test('a manual line is announced by one email, without its password', async () => {
  await world.choosePanel('manual')
  const customer = await buyer()
  await world.run(null)
  expect(await readyMails(customer.id)).toBe(0)
  await enter(customer.id, 'tv-2')
  expect(await readyMails(customer.id)).toBe(1)
  const [mail] = await world.app.db.select().from(mails).where(eq(mails.template, 'line_ready'))
  expect(JSON.stringify(mail)).not.toContain(login.password)
})

test('a line that a panel creates immediately is not announced by email, and one that took minutes is', async () => {
  await world.choosePanel('xui-admin')
  const [quick, slow] = [await buyer(), await buyer()]
  expect(await quick.line()).toMatchObject({ state: 'preparing', progress: { since: expect.any(String) } })
  await world.app.db
    .update(lineJobs)
    .set({ createdAt: sql`now() - interval '5 minutes'` })
    .where(eq(lineJobs.userId, slow.id))
  await world.run()
  expect([await readyMails(quick.id), await readyMails(slow.id)]).toEqual([0, 1])
})

test('a line that the panel refuses to create is shown as being created manually', async () => {
  await world.choosePanel('xui-admin')
  const customer = await buyer()
  await world.run(world.config({ packages: {} }))
  expect(await customer.line()).toMatchObject({ state: 'manual', username: null })
})

test('the setup ends when the customer confirms that the line plays, or 30 days after the line was requested', async () => {
  await world.choosePanel('xui-admin')
  const [confirmed, silent] = [await buyer(), await buyer()]
  await world.run()
  expect([(await confirmed.line())?.used, (await silent.line())?.used]).toEqual([false, false])
  await confirmed.use()
  await confirmed.use()
  await world.app.db
    .update(lines)
    .set({ createdAt: sql`now() - interval '31 days'` })
    .where(eq(lines.userId, silent.id))
  expect([(await confirmed.line())?.used, (await silent.line())?.used]).toEqual([true, true])
})
