import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import type { InvoiceRefusal } from '../../invoice-rules.ts'

export type Account = { id: number; username: string; email: string }
type Wanted = { email: string; otherId: string | null }
type Found = Account & { wanted: string }

/**
 * Finds the accounts of some hundred customers: by email address, or else by the id in the other system, which imports of customers recorded.
 * Returns a function that returns the account, or why there is none.
 */
export async function findAccounts(
  tx: Tx,
  customers: Wanted[],
): Promise<(customer: Wanted) => Account | InvoiceRefusal> {
  const byEmail = await accountsByEmail(tx, distinct(customers.map(({ email }) => email)))
  const unknown = customers.filter(({ email }) => !byEmail.has(email))
  const byId = await accountsById(tx, distinct(unknown.map(({ otherId }) => otherId ?? '')))
  return ({ email, otherId }) => {
    const known = byEmail.get(email)
    if (known) return known
    const [account, ...more] = byId.get(otherId ?? '') ?? []
    if (!account) return 'customer_unknown'
    return more.length > 0 ? 'customer_ambiguous' : account
  }
}

const distinct = (texts: string[]): string[] => [...new Set(texts)].filter(Boolean)

async function accountsByEmail(tx: Tx, emails: string[]): Promise<Map<string, Account>> {
  if (emails.length === 0) return new Map()
  const { rows } = await tx.execute<Found>(sql`
    select w.email as wanted, u.id, u.username, u.email from unnest(${sql.param(emails)}::text[]) as w(email)
    join users u on lower(u.email) = lower(w.email)`)
  return new Map(rows.map(({ wanted, ...account }) => [wanted, account]))
}

/** The account of a row that found its customer here is the one that has its address now. */
async function accountsById(tx: Tx, ids: string[]): Promise<Map<string, Account[]>> {
  if (ids.length === 0) return new Map()
  const imported = sql`unnest(${sql.param(ids)}::text[]) as w(id)
    join import_rows c on c.other_id = w.id and c.invoice_number is null and c.verdict in ('created', 'exists', 'kept')
    join import_runs i on i.id = c.run_id and i.kind = 'customers'`
  const { rows } = await tx.execute<Found>(sql`
    select w.id as wanted, u.id, u.username, u.email from ${imported} join users u on u.id = c.user_id
    union select w.id, u.id, u.username, u.email from ${imported} join users u on lower(u.email) = lower(c.email) where c.user_id is null`)
  const accounts = Map.groupBy(rows, ({ wanted }) => wanted)
  return new Map([...accounts].map(([id, found]) => [id, found.map(({ wanted: _, ...account }) => account)]))
}
