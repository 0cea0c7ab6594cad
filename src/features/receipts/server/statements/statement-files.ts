import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { statementFiles, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { StatementFile } from '../../admin-contract.ts'

/** Returns the booking of a file with this content; null if there is none or it was withdrawn. */
export async function bookedFile(db: Db | Tx, sha256: Buffer): Promise<{ id: number; by: string; at: string } | null> {
  const [row] = await db
    .select({ id: statementFiles.id, by: users.username, at: statementFiles.uploadedAt })
    .from(statementFiles)
    .innerJoin(users, eq(users.id, statementFiles.uploadedBy))
    .where(and(eq(statementFiles.sha256, sha256), isNull(statementFiles.withdrawnAt)))
  return row ?? null
}

type Row = Omit<StatementFile, 'counts' | 'withdrawn'> & {
  new: number
  known: number
  skipped: number
  unreadable: number
  withdrawnBy: string | null
  withdrawnAt: string | null
}
const maxShown = 50

/** Returns the latest statements, newest first, each with the number of its decided payments. With `id` only that statement. */
export async function listStatements(db: Db | Tx, id?: number): Promise<StatementFile[]> {
  const { rows } = await db.execute<Row>(sql`
    select f.id, f.name, f.format, f.new_lines as new, f.known_lines as known, f.skipped_lines as skipped, f.unreadable_lines as unreadable,
      f.new_cents::float8 as "newCents", u.username as by, f.uploaded_at as at, w.username as "withdrawnBy", f.withdrawn_at as "withdrawnAt",
      (select count(*)::int from payment_receipts r join payment_cases c on c.payment_id = r.payment_id join payments p on p.id = r.payment_id
        where r.file_id = f.id and p.source = 'statement' and c.status in ('done', 'held')
          and not exists (select from payment_receipts o where o.payment_id = r.payment_id and o.file_id <> f.id)
          and not exists (select from payment_mail_links l where l.payment_id = r.payment_id)) as decided
    from statement_files f join users u on u.id = f.uploaded_by left join users w on w.id = f.withdrawn_by
    where ${id === undefined ? sql`true` : sql`f.id = ${id}`} order by f.id desc limit ${maxShown}`)
  return rows.map(({ new: added, known, skipped, unreadable, withdrawnBy, withdrawnAt, at, ...row }) => ({
    ...row,
    at: new Date(at).toISOString(),
    counts: { new: added, known, skipped, unreadable },
    withdrawn: withdrawnAt && withdrawnBy ? { by: withdrawnBy, at: new Date(withdrawnAt).toISOString() } : null,
  }))
}

/** Returns one statement as `listStatements` does. Throws 404. */
export async function statementOf(db: Db | Tx, id: number): Promise<StatementFile> {
  const [row] = await listStatements(db, id)
  return row ?? notFound('Statement not found')
}
