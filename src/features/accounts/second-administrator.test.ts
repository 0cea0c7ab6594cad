import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { revealMail } from '#features/mails/admin-contract.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { resetTwoFactor } from '#features/two-factor/admin-contract.ts'
import { adminRequests, auditLog, mails, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { resetPassword, updateRole } from './admin-contract.ts'
import { createAdmin } from './server/service/create-admin.ts'

let app: TestApp
let [chief, second, third]: SignedIn[] = []
const secretKey = randomBytes(32).toString('base64')
beforeAll(async () => {
  app = await buildApp({ config: { selfApproval: 'deny', secretKey } })
})
beforeEach(async () => {
  await app.database.pool.query("UPDATE users SET role = 'user'")
  await app.database.pool.query('DELETE FROM admin_requests')
  ;[chief, second, third] = [await app.signInAdmin(), await app.signInAdmin(), await app.signInAdmin()]
})
afterAll(() => app.close())

const needsSecond = { status: 409, code: 'second_administrator' }
const promote = (by: SignedIn, { user }: SignedIn) =>
  by.client.call(updateRole, { params: { userId: user.id }, body: { role: 'admin' } })
const roleOf = async ({ user }: SignedIn) =>
  (await app.db.select({ role: users.role }).from(users).where(eq(users.id, user.id)))[0]?.role
const noticesTo = async ({ user }: SignedIn, event: string) =>
  (
    await app.db
      .select({ data: mails.data })
      .from(mails)
      .where(and(eq(mails.userId, user.id), eq(mails.template, 'admin_notice')))
  ).filter(({ data }) => (data as { event: string }).event === event)
const change = async (by: SignedIn, section: 'payments' | 'payment-desk', part: Record<string, unknown>) => {
  const { version, value } = await by.client.call(getSetting, { params: { section } })
  return by.client.call(updateSetting, { params: { section }, body: { version, value: { ...value, ...part } } })
}
const payTo = (by: SignedIn, cashtag: string) => change(by, 'payments', { cashtag })
const cashtag = async () => (await chief!.client.call(getPaymentMethods, {} as never)).cashtag
/** Returns the id of a user's password reset email, and marks it as not sent in the mail log. */
async function resetMailOf({ user }: SignedIn): Promise<number> {
  await app.client().post('/api/forgot-password', { email: user.email })
  const found = await app.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, user.id), eq(mails.template, 'password_reset')))
  const { id } = found.at(-1)!
  await app.db.update(mails).set({ status: 'kept' }).where(eq(mails.id, id))
  return id
}
const reveal = (by: SignedIn, mailId: number) => by.client.call(revealMail, { params: { mailId } })

describe('under SELF_APPROVAL=deny', () => {
  test('a promotion needs a second administrator, and all owners are emailed', async () => {
    const who = await app.signIn()
    await expect(promote(chief!, who)).rejects.toMatchObject(needsSecond)
    await expect(promote(chief!, who)).rejects.toMatchObject(needsSecond)
    expect(await roleOf(who)).toBe('user')
    expect(await noticesTo(third!, 'confirmation_needed')).toMatchObject([
      { data: { about: expect.stringContaining(who.user.username), by: chief!.user.username } },
      {},
    ])
    await promote(second!, who)
    expect(await roleOf(who)).toBe('admin')
    for (const each of [chief!, second!, third!, who])
      expect(await noticesTo(each, 'administrator_added')).toHaveLength(1)
    expect(await app.db.$count(adminRequests)).toBe(0)
    expect(
      await app.db.$count(
        auditLog,
        and(eq(auditLog.action, 'admin.request'), eq(auditLog.targetId, String(who.user.id))),
      ),
    ).toBe(2)
  })

  test('an expired request, a request by a demoted administrator and a request for a changed address confirm nothing', async () => {
    const who = await app.signIn()
    await expect(promote(chief!, who)).rejects.toMatchObject(needsSecond)
    await app.database.pool.query("UPDATE admin_requests SET requested_at = now() - interval '25 hours'")
    await expect(promote(second!, who)).rejects.toMatchObject(needsSecond)
    await app.database.pool.query("UPDATE users SET role = 'user' WHERE id = $1", [second!.user.id])
    await expect(promote(third!, who)).rejects.toMatchObject(needsSecond)
    await app.database.pool.query("UPDATE users SET email = 'moved@example.org' WHERE id = $1", [who.user.id])
    await expect(promote(chief!, who)).rejects.toMatchObject(needsSecond)
    expect(await roleOf(who)).toBe('user')
  })

  test('if two administrators request a promotion concurrently, one request confirms the other', async () => {
    const who = await app.signIn()
    const results = await Promise.allSettled([promote(chief!, who), promote(second!, who)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await roleOf(who)).toBe('admin')
  })

  test('payment accounts change when two administrators enter the same ones', async () => {
    const before = await cashtag()
    await expect(payTo(chief!, '$mine')).rejects.toMatchObject(needsSecond)
    await expect(payTo(second!, '$another')).rejects.toMatchObject(needsSecond)
    expect(await cashtag()).toBe(before)
    await payTo(third!, '$another')
    expect(await cashtag()).toBe('$another')
    expect(await noticesTo(second!, 'payments_changed')).toMatchObject([
      { data: { about: expect.stringContaining('$another'), by: third!.user.username } },
    ])
  })

  test('two administrators must raise or remove the amount above which payments need two; one administrator can lower it', async () => {
    const limit = (by: SignedIn, secondPersonDollars: number) => change(by, 'payment-desk', { secondPersonDollars })
    const current = async () =>
      (await chief!.client.call(getSetting, { params: { section: 'payment-desk' } })).value.secondPersonDollars
    await limit(chief!, 500)
    await limit(chief!, 100)
    await expect(limit(chief!, 0)).rejects.toMatchObject(needsSecond)
    await expect(limit(second!, 200)).rejects.toMatchObject(needsSecond)
    expect(await current()).toBe(100)
    await limit(third!, 200)
    expect(await current()).toBe(200)
    expect(await noticesTo(second!, 'second_person_changed')).toMatchObject([{ data: { by: third!.user.username } }])
  })

  test("revealing another administrator's link needs two administrators; one's own link and a customer's are shown immediately", async () => {
    const mail = await resetMailOf(third!)
    await expect(reveal(chief!, mail)).rejects.toMatchObject(needsSecond)
    expect((await reveal(second!, mail)).link).toContain('/reset-password')
    expect(await noticesTo(third!, 'mail_revealed')).toMatchObject([{ data: { by: second!.user.username } }])
    expect((await reveal(third!, mail)).link).toContain('/reset-password')
    expect((await reveal(chief!, await resetMailOf(await app.signIn()))).link).toContain('/reset-password')
  })

  test('an administrator cannot reset the password or the second factor of another administrator', async () => {
    const params = { userId: second!.user.id }
    const refused = { status: 409, code: 'administrators_account' }
    await expect(
      chief!.client.call(resetPassword, { params, body: { newPassword: 'known to the chief' } }),
    ).rejects.toMatchObject(refused)
    await expect(chief!.client.call(resetTwoFactor, { params })).rejects.toMatchObject(refused)
  })

  test('an administrator cannot decide about their own trial request', async () => {
    const { rows } = await app.database.pool.query(
      "INSERT INTO trial_requests (user_id, device, message) VALUES ($1, 'A box', 'I want to try it first') RETURNING id",
      [chief!.user.id],
    )
    const decide = (by: SignedIn) =>
      by.client.request(`/api/admin/trial-requests/${rows[0].id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'denied', adminNotes: 'Not this time' }),
      })
    expect((await decide(chief!)).status).toBe(409)
    expect((await decide(second!)).status).toBe(200)
  })
})

test('under SELF_APPROVAL=allow, these actions take effect immediately, and all owners are still emailed', async () => {
  const open = await buildApp({ config: { selfApproval: 'allow', secretKey } })
  const [first, other] = [await open.signInAdmin(), await open.signInAdmin()]
  const who = await open.signIn()
  await promote(first, who)
  await payTo(first, '$mine')
  await open.client().post('/api/forgot-password', { email: other.user.email })
  await open.db.update(mails).set({ status: 'kept' }).where(eq(mails.template, 'password_reset'))
  const [mail] = await open.db.select({ id: mails.id }).from(mails).where(eq(mails.template, 'password_reset'))
  await reveal(first, mail!.id)
  await createAdmin(open.context, { username: 'from-the-shell', email: 'shell@example.org' })
  const notices = await open.db
    .select({ data: mails.data })
    .from(mails)
    .where(and(eq(mails.userId, other.user.id), eq(mails.template, 'admin_notice')))
  expect(notices.map(({ data }) => (data as { event: string }).event).sort()).toEqual([
    'administrator_added',
    'administrator_added',
    'mail_revealed',
    'payments_changed',
  ])
  await open.close()
})
