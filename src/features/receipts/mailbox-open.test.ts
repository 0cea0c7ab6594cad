import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getPayment } from '#features/payments/admin-contract.ts'
import { auditLog, paymentMailLinks, paymentMails } from '#server/db/tables.ts'
import { type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'
import { layouts, mailFields } from '../../../test/harness/payment-layouts.ts'
import { ourAddress, signedMail, testResolver } from '../../../test/harness/payment-mails.ts'
import { openPaymentEmail } from './admin-mailbox-contract.ts'
import { openEmail } from './server/mailbox/open-email.ts'

let world: MailboxWorld
beforeAll(async () => {
  world = await mailboxWorld()
})
afterAll(() => world.close())

const { layout } = layouts.find(({ template }) => template === 'venmo-card')!
const open = (emailId: number) => world.admin.client.call(openPaymentEmail, { params: { emailId } })

test('a payment email is opened as text with its signature, which is audited; it is refused without stored content', async () => {
  await expect(open(999)).rejects.toMatchObject({ status: 404 })
  await world.save()
  world.reading()
  await world.isRead()
  const fields = mailFields({ note: 'Card 4111 1111 1111 1111 \u202eevil <b>bold</b>' })
  const raw = await signedMail(layout(fields), { date: new Date() })
  world.dovecot.deliver(raw)
  await expect.poll(() => world.stored(), { timeout: 10_000 }).toHaveLength(1)
  const [{ id }] = (await world.stored()) as [typeof paymentMails.$inferSelect]
  const { app, admin } = world

  const opened = await openEmail({ db: app.db, config: app.context.config, resolver: testResolver }, id, {
    admin: admin.user,
    requestId: 'open',
  })
  expect(opened).toMatchObject({ to: [ourAddress], template: 'venmo-card', templateVersion: 2 })
  expect(opened.signature).toMatchObject({ domain: 'venmo.com', selector: 'test', keyBits: 2048 })
  expect(opened.signature?.headers).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'date']))
  const text = opened.lines.join('\n')
  expect(text).toContain('••••1111 [U+202E]evil <b>bold</b>')
  expect(text).not.toContain('4111 1111')
  expect(Buffer.from(opened.raw, 'base64')).toEqual(raw)
  expect(await app.db.select().from(auditLog).where(eq(auditLog.action, 'mailbox.open_email'))).toMatchObject([
    { actorId: admin.user.id, targetId: String(id) },
  ])

  const [link] = await app.db.select().from(paymentMailLinks).where(eq(paymentMailLinks.mailId, id))
  const canOpen = async () =>
    (await admin.client.call(getPayment, { params: { paymentId: link!.paymentId }, query: {} })).emails[0]?.canOpen
  expect(await canOpen()).toBe(true)
  await app.db.update(paymentMails).set({ sealed: null }).where(eq(paymentMails.id, id))
  expect(await canOpen()).toBe(false)
  await expect(open(id)).rejects.toMatchObject({ status: 409, code: 'not_stored' })
})
