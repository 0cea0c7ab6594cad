import { type SQL, sql } from 'drizzle-orm'
import { type Params, statement } from './statement.ts'
import type { Db, Tx } from './types.ts'

/** Where processes tell each other what changed. */
export const channel = 'sauce'

/** What a transaction puts off until its end: rows as JSON that nothing in it reads, by the columns' names, and what other processes are told. */
type DeferredWrites = { entries: object[]; mails: object[]; said: string[] }
const endings = new WeakMap<Db | Tx, DeferredWrites>()

/** The end of an open transaction; undefined for a savepoint, which may be undone by itself, and outside of one. */
export const deferredWritesOf = (db: Db | Tx): DeferredWrites | undefined => endings.get(db)

/** Runs `work` in `tx`, and writes and says what it put off in one statement. */
export async function withDeferredWrites<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ending: DeferredWrites = { entries: [], mails: [], said: [] }
  endings.set(tx, ending)
  const result = await work(tx)
  endings.delete(tx)
  await deferWrites(tx, ending)
  return result
}

/** Writes and says at once what a transaction would put off. */
export async function deferWrites(
  db: Db | Tx,
  { entries = [], mails = [], said = [] }: Partial<DeferredWrites>,
): Promise<void> {
  if (entries.length + mails.length + said.length === 0) return
  const write = entries.length > 0 ? (mails.length > 0 ? noteAndSend : note) : mails.length > 0 ? sendMails : say
  await write(db, { entries: JSON.stringify(entries), mails: JSON.stringify(mails), said })
}

type Values = { entries: string; mails: string; said: string[] }
type Write = (given: Params<Values>) => SQL
const audited: Write = ({ entries }) => sql`
  insert into audit_log (actor_id, action, target_type, target_id, before, after, request_id)
  select actor_id, action, target_type, target_id, before, after, request_id
  from jsonb_to_recordset(${entries}::jsonb)
    as entry(actor_id integer, action text, target_type text, target_id text, before jsonb, after jsonb, request_id text)`
const mailed: Write = ({ mails }) => sql`
  insert into mails (dedupe_key, user_id, recipient, template, data, sealed)
  select dedupe_key, user_id, recipient, template, data, sealed
  from jsonb_to_recordset(${mails}::jsonb)
    as mail(dedupe_key text, user_id integer, recipient text, template text, data jsonb, sealed text)
  on conflict (dedupe_key) do nothing`

/** The writes stand beside what is said: a write of nothing would still run the triggers of its table. */
const ending = (name: string, writes: Write[]) =>
  statement(name, (db, given: Params<Values>) =>
    db
      .with(...writes.map((write, at) => db.$with(`written_${at}`, {}).as(write(given))))
      .select({ told: sql`pg_notify(${channel}, said.payload)` })
      .from(sql`unnest(${given.said}::text[]) with ordinality said(payload, place)`)
      .orderBy(sql`place`),
  )
const say = ending('end_saying', [])
const note = ending('end_noting', [audited])
const sendMails = ending('end_mailing', [mailed])
const noteAndSend = ending('end_noting_and_mailing', [audited, mailed])
