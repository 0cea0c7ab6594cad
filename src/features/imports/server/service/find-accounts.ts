import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import type { InvoiceRefusal } from '../../invoice-rules.ts'

export type Account = { id: number; username: string; email: string }
type AccountSearch = { email: string; otherId: string | null }
type FoundAccount = Account & { wanted: string }

/**
 * Finds the accounts of a few hundred customers: by email address, or else by the id in the other system that an import of customers recorded.
 * Returns a function that takes a customer and returns the account, or why the row is refused.
 */
export async function findAccounts(
  tx: Tx,
  customers: AccountSearch[],
): Promise<(customer: AccountSearch) => Account | InvoiceRefusal> {
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
  const { rows } = await tx.execute<FoundAccount>(sql`
    select w.email as wanted, u.id, u.username, u.email from unnest(${sql.param(emails)}::text[]) as w(email)
    join users u on lower(u.email) = lower(w.email)`)
  return new Map(rows.map(({ wanted, ...account }) => [wanted, account]))
}

/**
 * Returns the accounts of customers by their id in the other system. For a row whose customer already existed here (`exists`), the account is the one
 * that has its email address now. The limits force a separate lookup for each id: the rows of the run being stored have no statistics yet, and a join
 * would read all of them.
 */
async function accountsById(tx: Tx, ids: string[]): Promise<Map<string, Account[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.execute<FoundAccount>(sql`
    select distinct w.id as wanted, a.id, a.username, a.email from unnest(${sql.param(ids)}::text[]) as w(id)
    cross join lateral (
      select c.run_id, coalesce(c.user_id, (select u.id from users u where lower(u.email) = lower(c.email))) as user_id
      from import_rows c where c.other_id = w.id and c.invoice_number is null and c.verdict in ('created', 'exists', 'kept') limit 100) found
    cross join lateral (select u.id, u.username, u.email from users u where u.id = found.user_id limit 1) a
    join import_runs i on i.id = found.run_id and i.kind = 'customers'`)
  const accounts = Map.groupBy(rows, ({ wanted }) => wanted)
  return new Map([...accounts].map(([id, found]) => [id, found.map(({ wanted: _, ...account }) => account)]))
}
