import { expect, onTestFinished } from 'vitest'
import { getMailbox, getMailboxSettings, updateMailboxSettings } from '#features/receipts/admin-mailbox-contract.ts'
import { type MailboxReader, startMailboxReader } from '#features/receipts/server/mailbox/reader.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import type { Input } from '#kit/endpoint.ts'
import { paymentMails } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'
import { type Dovecot, startDovecot } from './dovecot.ts'
import { expectInvariants } from './invariants.ts'
import { ourAddress, testResolver } from './payment-mails.ts'

export type MailboxForm = Input<typeof updateMailboxSettings>['body']['value']
/** An app whose administrator can set up the mailbox of a real IMAP server. */
export type MailboxWorld = {
  app: TestApp
  admin: SignedIn
  dovecot: Dovecot
  form: (changes?: Partial<MailboxForm>) => MailboxForm
  save: (changes?: Partial<MailboxForm>) => Promise<{ passwordSet: boolean; value: MailboxForm }>
  /** Reads the mailbox as a process does, until the test ends. */
  reading: (resolver?: typeof testResolver) => MailboxReader
  status: () => Promise<{ state: string; toReview: number; checkedAt: string | null }>
  /** Waits until the reader has checked the mailbox for new emails. */
  isRead: () => Promise<void>
  /** The stored emails, the oldest first. */
  stored: () => Promise<(typeof paymentMails.$inferSelect)[]>
  close: () => Promise<void>
}

/** `introspection`: the address at which the IMAP server checks access tokens. */
export async function mailboxWorld(introspection?: string): Promise<MailboxWorld> {
  const dovecot = await startDovecot(introspection)
  const app = await buildApp({ connections: 20, config: { mailboxAllowPrivate: true } })
  const admin = await app.signInAdmin()
  const section = { params: { section: 'payments' as const } }
  const { value, version } = await admin.client.call(getSetting, section)
  await admin.client.call(updateSetting, {
    ...section,
    body: { version, value: { ...value, cashtag: '$ShopTV', venmoHandle: '@shop-tv' } },
  })
  const form = (changes: Partial<MailboxForm> = {}): MailboxForm => ({
    ...{ enabled: true, host: dovecot.host, port: dovecot.port, tls: 'implicit', username: dovecot.username },
    ...{ password: dovecot.password, folder: 'INBOX', ca: dovecot.ca, addresses: [ourAddress] },
    ...{ accountNames: [], accountEndings: [], authservId: '' },
    ...changes,
  })
  const status = () => admin.client.call(getMailbox, {})
  return {
    app,
    admin,
    dovecot,
    form,
    save: async (changes) => {
      const known = await admin.client.call(getMailboxSettings, {})
      return admin.client.call(updateMailboxSettings, { body: { version: known.version, value: form(changes) } })
    },
    reading: (resolver = testResolver) => {
      const { config, log } = app.context
      const reader = startMailboxReader({ db: app.db, config, log, resolver })
      onTestFinished(() => reader.stop())
      return reader
    },
    status,
    isRead: async () => void (await expect.poll(async () => (await status()).state, { timeout: 10_000 }).toBe('ok')),
    stored: () => app.db.select().from(paymentMails).orderBy(paymentMails.id),
    close: async () => {
      await expectInvariants(app.db)
      await app.close()
      await dovecot.close()
    },
  }
}
