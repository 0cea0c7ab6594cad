import { randomBytes } from 'node:crypto'
import { like } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getMail } from '#features/mails/admin-contract.ts'
import { mails } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { createEmailVerification, register, updateProfile } from './contract.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildApp({ config: { rateLimitFactor: 1, secretKey: randomBytes(32).toString('base64') } })
  await app.database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('accounts', '{"emailVerification":"optional"}')`,
  )
})
afterEach(() => app.close())

const victims = [
  'pat@example.org',
  'p.at@example.org',
  'pa.t@example.org',
  'p.a.t@example.org',
  ...Array.from({ length: 12 }, (_, i) => `pat+${i}@example.org`),
]
const mailed = () => app.db.$count(mails, like(mails.recipient, 'p%a%t%@example.org'))
const join = (email: string, i: number) =>
  app.client({ ip: `192.0.2.${i}` }).call(register, { body: { username: `person${i}`, email, password } })
const nextHour = () =>
  app.database.pool.query("UPDATE rate_limits SET expire = 0 WHERE key LIKE 'mail:hour%' OR key LIKE 'register%'")

describe('one mailbox, in any spelling,', () => {
  test('gets five registration emails per hour and ten per day, and every registration succeeds', async () => {
    for (const [i, email] of victims.slice(0, 8).entries()) await join(email, i)
    expect(await mailed()).toBe(5)
    await nextHour()
    for (const [i, email] of victims.slice(8).entries()) await join(email, 8 + i)
    expect(await mailed()).toBe(10)
  })

  test('gets at most five emails per hour about changes of address', async () => {
    const { client } = await app.signIn()
    for (const email of victims.slice(0, 10))
      await client.call(updateProfile, { body: { fullName: '', email, currentPassword: password } })
    expect(await mailed()).toBe(5)
  })

  test('gets at most five emails with confirmation links per hour; further requests get 429', async () => {
    const { client } = await join('pat@example.org', 1).then(() => app.signIn('person1'))
    for (let i = 0; i < 3; i++) expect((await client.post('/api/account/email-verification', {})).status).toBe(200)
    await expect(client.call(createEmailVerification, {} as never)).rejects.toMatchObject({ status: 429 })
    expect(await mailed()).toBe(5)
  })
})

test('a confirmed old address is always emailed about a change', async () => {
  const { client, user } = await app.signIn({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' })
  for (let i = 0; i < 12; i++) await app.context.limits.mayWriteTo(user.email)
  await client.call(updateProfile, {
    body: { fullName: '', email: 'elsewhere@example.org', currentPassword: password },
  })
  expect(await app.db.$count(mails, like(mails.recipient, user.email))).toBe(1)
})

test.each(['casino.example', 'www.casino', 'free-tv.top'])(
  'a username like %s does not appear in the text of an email',
  async (username) => {
    const chief = await app.signInAdmin()
    await app.client().call(register, { body: { username, email: 'pat@example.org', password } })
    const all = await app.db.select({ id: mails.id }).from(mails)
    expect(all).toHaveLength(2)
    for (const { id } of all) {
      const { subject, text } = await chief.client.call(getMail, { params: { mailId: id } })
      expect(`${subject} ${text}`).not.toContain(username)
      expect(text).toContain('Hello,')
    }
  },
)
