import { type SQL, sql } from 'drizzle-orm'
import * as referrals from '#features/referrals/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { noPassword } from '#server/session/imported-hash.ts'

export type ImportedAccount = { username: string; email: string; fullName: string | null; passwordHash: string }

/**
 * Creates customers in one statement. Returns their ids in the same order. The caller has checked names and addresses; a unique violation of the
 * database means that someone registered in between, and the caller tries again.
 */
export async function insertImportedAccounts(tx: Tx, accounts: ImportedAccount[]): Promise<number[]> {
  const rows = accounts.map((account, at) => ({ ...account, at, code: referrals.randomReferralCode() }))
  const { rows: inserted } = await tx.execute<{ id: number; email: string }>(sql`
    insert into users (username, email, full_name, password_hash, referral_code)
    select username, email, "fullName", "passwordHash", code
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row(username text, email text, "fullName" text, "passwordHash" text, code text, at int) order by at
    returning id, email`)
  const ids = new Map(inserted.map(({ id, email }) => [email, id]))
  return accounts.map(({ email }) => ids.get(email)!)
}

/** Removes accounts that were not used; the caller has checked this. Those that cannot be deleted are erased. */
export async function removeImportedAccounts(tx: Tx, userIds: number[]): Promise<void> {
  await eraseImportedAccounts(tx, await deleteImportedAccounts(tx, userIds))
}

/**
 * Deletes imported accounts that were not used; the caller has checked this, and has removed what refers to them. An account that the ledger or an email
 * refers to is not deleted. Returns the ids of these.
 */
export async function deleteImportedAccounts(tx: Tx, userIds: number[]): Promise<number[]> {
  const ids = sql`any(${sql.param(userIds)}::int[])`
  await tx.execute(sql`delete from mailed_tokens where user_id = ${ids}`)
  await tx.execute(sql`delete from users u where u.id = ${ids} and not ${isReferenced(sql`u.id`)}`)
  const { rows } = await tx.execute<{ id: number }>(sql`select id from users where id = ${ids}`)
  return rows.map(({ id }) => id)
}

/** Erases name, address and password of these accounts, so that the same customers can be imported or register again. */
export async function eraseImportedAccounts(tx: Tx, userIds: number[]): Promise<void> {
  await tx.execute(sql`
    update users u set username = 'removed-' || u.id, email = 'removed-' || u.id || '@removed.invalid', full_name = null,
      password_hash = ${noPassword}, email_verified_at = null
    where u.id = any(${sql.param(userIds)}::int[])`)
}

const isReferenced = (id: SQL) => sql`(exists (select from credit_transactions t where t.user_id = ${id})
  or exists (select from mails m where m.user_id = ${id}))`
