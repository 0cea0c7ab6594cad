import { type SQL, sql } from 'drizzle-orm'
import { type Params, statement } from './statement.ts'
import type { Db, Tx } from './types.ts'

/** The PostgreSQL notification channel on which processes notify each other of changes. */
export const channel = 'sauce'

/**
 * What a transaction writes at its end, in one statement: rows for the audit log and the outbox, as objects by column name, and the payloads of notifications
 * to other processes. Nothing in the transaction reads these rows.
 */
type DeferredWrites = { entries: object[]; mails: object[]; notifications: Set<string> }
const deferredWrites = new WeakMap<Db | Tx, DeferredWrites>()

/** The deferred writes of an open transaction; undefined outside of one, and for a savepoint, which may be rolled back separately. */
export const deferredWritesOf = (db: Db | Tx): DeferredWrites | undefined => deferredWrites.get(db)

/** Runs `work` in `tx` and then writes what it deferred, in one statement. */
export async function withDeferredWrites<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const deferred: DeferredWrites = { entries: [], mails: [], notifications: new Set() }
  deferredWrites.set(tx, deferred)
  const result = await work(tx)
  deferredWrites.delete(tx)
  await writeDeferred(tx, deferred)
  return result
}

/** Writes these rows and notifications in one statement: at the end of a transaction, or immediately where nothing can be deferred. */
export async function writeDeferred(
  db: Db | Tx,
  { entries = [], mails = [], notifications = new Set() }: Partial<DeferredWrites>,
): Promise<void> {
  if (entries.length + mails.length + notifications.size === 0) return
  const write =
    entries.length > 0 ? (mails.length > 0 ? writeBoth : writeEntries) : mails.length > 0 ? writeMails : notify
  await write(db, { entries: JSON.stringify(entries), mails: JSON.stringify(mails), notifications: [...notifications] })
}

type Values = { entries: string; mails: string; notifications: string[] }
type Write = (params: Params<Values>) => SQL
const insertEntries: Write = ({ entries }) => sql`
  insert into audit_log (actor_id, action, target_type, target_id, before, after, request_id, api_key_id, api_key_name)
  select actor_id, action, target_type, target_id, before, after, request_id, api_key_id, api_key_name
  from jsonb_to_recordset(${entries}::jsonb)
    as entry(actor_id integer, action text, target_type text, target_id text, before jsonb, after jsonb, request_id text,
      api_key_id integer, api_key_name text)`
const insertMails: Write = ({ mails }) => sql`
  insert into mails (dedupe_key, user_id, recipient, template, data, sealed)
  select dedupe_key, user_id, recipient, template, data, sealed
  from jsonb_to_recordset(${mails}::jsonb)
    as mail(dedupe_key text, user_id integer, recipient text, template text, data jsonb, sealed text)
  on conflict (dedupe_key) do nothing`

/**
 * A statement that sends the notifications and runs these inserts. Each combination has its own statement, because an insert of no rows would still run the
 * triggers of its table.
 */
const notifyWith = (name: string, inserts: Write[]) =>
  statement(name, (db, params: Params<Values>) =>
    db
      .with(...inserts.map((insert, index) => db.$with(`written_${index}`, {}).as(insert(params))))
      .select({ sent: sql`pg_notify(${channel}, notification.payload)` })
      .from(sql`unnest(${params.notifications}::text[]) with ordinality notification(payload, position)`)
      .orderBy(sql`notification.position`),
  )
const notify = notifyWith('deferred_notifications', [])
const writeEntries = notifyWith('deferred_entries', [insertEntries])
const writeMails = notifyWith('deferred_mails', [insertMails])
const writeBoth = notifyWith('deferred_entries_and_mails', [insertEntries, insertMails])
