import { Resolver } from 'node:dns/promises'
import type { Logger } from 'pino'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { type KeyOrRing, secretKey } from '#server/secrets/keys.ts'
import type { DnsResolver } from '../read/mail/authenticity.ts'
import type { MailContext, OwnAccount } from '../read/mail/read-mail.ts'
import { type Connection, mailboxId } from './connection.ts'
import { type Credentials, readCredentials } from './credentials.ts'

/** The dependencies of the mailbox reader. `resolver` answers the DNS queries for signature keys. */
export type ReaderContext = {
  db: Db
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  config: Config
  resolver: DnsResolver
}
export type ReaderConfig = {
  connection: Omit<Connection, 'login'>
  /** Null if the mail service has given no consent. */
  credentials: Credentials | null
  /** Identifies the account and folder (`mailboxId`). */
  mailbox: string
  key: () => KeyOrRing
}

const dns = new Resolver({ timeout: 3_000, tries: 2 })
/** Resolves with the DNS servers that this machine is configured to use. */
export const systemResolver: DnsResolver = async (name, type) => (await dns.resolve(name, type)) as string[][]

/** Returns a consistent snapshot of the connection settings, or null if the mailbox is off or has no password. Throws if a secret cannot be decrypted. */
export const loadReader = ({ db, config }: Pick<ReaderContext, 'db' | 'config'>): Promise<ReaderConfig | null> =>
  // Within a transaction the cache is not used, so the password always belongs to the settings that are read with it.
  inTransaction(db, (tx) => load(tx, config), { isolationLevel: 'repeatable read', accessMode: 'read only' })

async function load(db: Tx, config: Config): Promise<ReaderConfig | null> {
  const { enabled, ...stored } = await settings.read(db, 'mailbox')
  if (!enabled) return null
  const credentials = await readCredentials(db, config, stored)
  // If the consent is missing, the reader pauses and reports it. A missing password needs no report, because such settings cannot be saved.
  if (credentials === null && stored.login === 'password') return null
  const connection = { ...stored, allowPrivate: config.mailboxAllowPrivate }
  return { connection, credentials, mailbox: mailboxId(stored), key: () => secretKey(config) }
}

/** Returns what is needed to read a payment email: the operator's accounts, which must be the recipients, and how signatures are verified. */
export async function mailContext({ db, resolver }: Pick<ReaderContext, 'db' | 'resolver'>): Promise<MailContext> {
  const [mailbox, { cashtag, venmoHandle }] = await Promise.all([
    settings.read(db, 'mailbox'),
    settings.read(db, 'payments'),
  ])
  const own = [mailbox.username].filter((name) => name.includes('@'))
  const account = (handles: string[] = []): OwnAccount => ({
    names: mailbox.accountNames,
    handles: handles.filter((handle) => handle !== ''),
    addresses: mailbox.addresses.length > 0 ? mailbox.addresses : own,
    accounts: mailbox.accountEndings,
  })
  return {
    now: new Date(),
    resolver,
    mailbox: { authservIds: [mailbox.authservId].filter((id) => id !== '') },
    accounts: {
      cashapp: account([cashtag]),
      venmo: account([venmoHandle]),
      zelle: account(),
      paypal: account(),
      chime: account(),
      wise: account(),
      stripe: account(),
    },
  }
}
