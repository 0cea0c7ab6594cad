import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { audit } from '../audit.ts'
import { auditLog, mails } from '../db/tables.ts'
import { open } from '../secrets/keys.ts'
import { enqueueMail, mailLinkContext, type OutgoingMail, sealLink } from './enqueue-mail.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const mail = (overrides: Partial<OutgoingMail<'welcome'>> = {}): OutgoingMail => ({
  dedupeKey: 'welcome:1',
  userId: null,
  recipient: 'olive@example.org',
  template: 'welcome',
  data: { username: 'olive' },
  ...overrides,
})
const keys = async () => (await database.db.select({ key: mails.dedupeKey }).from(mails)).map((row) => row.key)

describe('an email', () => {
  test.each(['olive@example.org\r\nBcc: all@example.org', 'olive@example.org\n'])(
    'to the recipient %j is refused',
    async (recipient) => {
      await expect(
        database.db.transaction((tx) => enqueueMail(tx, mail({ dedupeKey: 'lines', recipient }))),
      ).rejects.toThrow(/one address/)
      expect(await keys()).not.toContain('lines')
    },
  )

  test('of a failed transaction is never queued', async () => {
    const failing = database.db.transaction(async (tx) => {
      await enqueueMail(tx, mail({ dedupeKey: 'rolled-back' }))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await keys()).not.toContain('rolled-back')
  })

  test('is queued once for its key, also by twenty parallel transactions; the first one wins', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => database.db.transaction((tx) => enqueueMail(tx, mail({ dedupeKey: 'once' })))),
    )
    await database.db.transaction((tx) => enqueueMail(tx, mail({ dedupeKey: 'once', recipient: 'other@example.org' })))
    const rows = (await database.db.select().from(mails)).filter((row) => row.dedupeKey === 'once')
    expect(rows).toMatchObject([
      { recipient: 'olive@example.org', status: 'queued', attempts: 0, data: { username: 'olive' } },
    ])
  })
})

describe('a link with a token', () => {
  const key = randomBytes(32)
  const dedupeKey = 'password_reset:7'

  test('is stored encrypted and can be decrypted for its own email only', async () => {
    const sealed = sealLink(key, dedupeKey, '/reset-password?token=canary')
    await database.db.transaction((tx) => enqueueMail(tx, mail({ dedupeKey, sealed })))
    const [row] = await database.db.select().from(mails).where(eq(mails.dedupeKey, dedupeKey))
    expect(JSON.stringify(row)).not.toContain('canary')
    expect(open(key, row!.sealed!, mailLinkContext(dedupeKey))).toContain('/reset-password?token=canary')
    expect(() => open(key, row!.sealed!, mailLinkContext('password_reset:8'))).toThrow(/cannot be opened/)
  })
})

describe('the audit log', () => {
  test.each(['update audit_log set action = $$x$$', 'delete from audit_log', 'truncate audit_log'])(
    'cannot be rewritten: %s',
    async (statement) => {
      await expect(database.pool.query(statement)).rejects.toThrow(/append-only/)
    },
  )

  test('records actor, action, target and the state before and after, and hides secrets', async () => {
    const { id } = await createUser(database.db, { role: 'admin' })
    const entry = {
      actorId: id,
      action: 'user.update_role' as const,
      targetType: 'user',
      targetId: 7,
      before: { role: 'user', iptvPassword: 'canary' },
      after: { role: 'admin', newPassword: 'canary', mustChangePassword: true },
      requestId: 'r-1',
    }
    await database.db.transaction((tx) => audit(tx, entry))
    const [row] = await database.db.select().from(auditLog)
    expect(row).toMatchObject({
      actorId: id,
      action: 'user.update_role',
      targetType: 'user',
      targetId: '7',
      requestId: 'r-1',
    })
    expect([row!.before, row!.after]).toEqual([
      { role: 'user', iptvPassword: '(hidden)' },
      { role: 'admin', newPassword: '(hidden)', mustChangePassword: true },
    ])
  })
})
