import { type SQL, sql } from 'drizzle-orm'
import * as referrals from '#features/referrals/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { noPassword } from '#server/session/imported-hash.ts'

export type ImportedAccount = { username: string; email: string; fullName: string | null; passwordHash: string }

/**
 * Creates customers in one statement. Returns their ids in the same order. The caller has checked the names and email addresses. A unique violation
 * means that a customer registered in between; the caller must then try again.
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

/** Removes unused accounts: deletes them, or erases those that cannot be deleted. The caller has checked that they are unused. */
export async function removeImportedAccounts(tx: Tx, userIds: number[]): Promise<void> {
  await eraseImportedAccounts(tx, await deleteImportedAccounts(tx, userIds))
}

/**
 * Deletes unused accounts. The caller has checked that they are unused and has deleted the other rows that refer to them. Accounts that the ledger
 * or an email refers to are not deleted; returns their ids.
 */
export async function deleteImportedAccounts(tx: Tx, userIds: number[]): Promise<number[]> {
  const ids = sql`any(${sql.param(userIds)}::int[])`
  await tx.execute(sql`delete from mailed_tokens where user_id = ${ids}`)
  await tx.execute(sql`delete from users u where u.id = ${ids} and not ${isReferenced(sql`u.id`)}`)
  const { rows } = await tx.execute<{ id: number }>(sql`select id from users where id = ${ids}`)
  return rows.map(({ id }) => id)
}

/** Erases the names, email address and password of these accounts, so that the same customers can be imported or register again. */
export async function eraseImportedAccounts(tx: Tx, userIds: number[]): Promise<void> {
  await tx.execute(sql`
    update users u set username = 'removed-' || u.id, email = 'removed-' || u.id || '@removed.invalid', full_name = null,
      password_hash = ${noPassword}, email_verified_at = null
    where u.id = any(${sql.param(userIds)}::int[])`)
}

const isReferenced = (id: SQL) => sql`(exists (select from credit_transactions t where t.user_id = ${id})
  or exists (select from mails m where m.user_id = ${id}))`
