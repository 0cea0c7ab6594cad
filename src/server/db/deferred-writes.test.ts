import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { audit } from '../audit.ts'
import { enqueueMail, type OutgoingMail } from '../mail/enqueue-mail.ts'
import { auditLog, mails } from './tables.ts'

let database: TestDatabase
let user: { id: number }
beforeAll(async () => {
  database = await createTestDatabase()
  user = await createUser(database.db)
})
afterAll(() => database.close())

const entry = (targetId: string) => ({ actorId: null, action: 'plan.update' as const, targetType: 'plan', targetId })
const mail = (dedupeKey: string): OutgoingMail => ({
  dedupeKey,
  userId: user.id,
  recipient: 'user@example.org',
  template: 'payment_rejected',
  data: { invoiceNumber: 'ORD-AAAAAA', planName: 'Größe "L" \\ 日本', amount: 1_999, reason: 'a\nb' },
})
const entries = () => database.db.select().from(auditLog).orderBy(asc(auditLog.id))
const outbox = () => database.db.select().from(mails).orderBy(asc(mails.id))

test('a failed transaction writes nothing, and a savepoint that was rolled back adds nothing to its transaction', async () => {
  const failing = database.db.transaction(async (tx) => {
    await audit(tx, entry('failed'))
    await enqueueMail(tx, mail('failed'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect([await entries(), await outbox()]).toEqual([[], []])

  await database.db.transaction(async (tx) => {
    await audit(tx, entry('kept'))
    const undone = tx.transaction(async (inner) => {
      await audit(inner, entry('undone'))
      await enqueueMail(inner, mail('undone'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await tx.transaction((inner) => enqueueMail(inner, mail('kept')))
  })
  expect((await entries()).map(({ targetId }) => targetId)).toEqual(['kept'])
  expect((await outbox()).map(({ dedupeKey }) => dedupeKey)).toEqual(['kept'])
})

test('deferred rows are written unchanged and in order, and each email is written once', async () => {
  const before = { price: 1, words: ['<b>', 'ü "\\'], nothing: null }
  await database.db.transaction(async (tx) => {
    await audit(tx, {
      ...entry('first'),
      actorId: user.id,
      before,
      after: { newPassword: 'correct-horse' },
      requestId: 'r1',
    })
    await enqueueMail(tx, mail('once'))
    await enqueueMail(tx, { ...mail('sealed'), userId: null, sealed: 'v1.sealed' })
    await enqueueMail(tx, mail('once'))
    await audit(tx, entry('second'))
  })
  const [first, second] = (await entries()).slice(-2)
  expect(first).toMatchObject({
    actorId: user.id,
    targetId: 'first',
    before,
    after: { newPassword: '(hidden)' },
    requestId: 'r1',
  })
  expect(second).toMatchObject({
    actorId: null,
    action: 'plan.update',
    targetId: 'second',
    before: null,
    after: null,
    requestId: null,
  })
  const sent = (await outbox()).slice(-2)
  expect(sent).toMatchObject([
    { dedupeKey: 'once', userId: user.id, data: mail('once').data, status: 'queued', sealed: null },
    { dedupeKey: 'sealed', userId: null, sealed: 'v1.sealed' },
  ])
})
