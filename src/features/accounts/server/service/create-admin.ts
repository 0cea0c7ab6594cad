import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import * as referrals from '#features/referrals/server/service.ts'
import { audit } from '#server/audit.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import { registration } from '../../contract.ts'

const account = z.pick(registration, { username: true, email: true })

/**
 * Creates an administrator from the command line and emails all owners. Returns the generated password, to be shown once; it must be changed at the
 * first login. Throws an error with a readable message.
 */
export async function createAdmin(
  { db, passwords }: Pick<AppContext, 'db' | 'passwords'>,
  input: { username: string; email: string },
): Promise<{ password: string }> {
  const parsed = z.safeParse(account, input)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join('\n'))
  const { username, email } = parsed.data
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await passwords.hash(password)
  try {
    await inTransaction(db, async (tx) => {
      const [row] = await tx
        .insert(users)
        .values({
          username,
          email,
          passwordHash,
          role: 'admin',
          strongPassword: true,
          mustChangePassword: true,
          referralCode: referrals.randomReferralCode(),
        })
        .returning({ id: users.id })
      await audit(tx, {
        actorId: null,
        action: 'user.create_admin',
        targetType: 'user',
        targetId: row!.id,
        after: { username, role: 'admin' },
      })
      await notifyOwners(tx, {
        event: 'administrator_added',
        about: `${username}, ${email}`,
        actor: null,
        key: `cli:${row!.id}`,
      })
    })
  } catch (error) {
    const constraint = violationOf(error)?.constraint
    if (constraint === 'users_name') throw new Error(`The username ${username} is taken.`)
    if (constraint === 'users_mail') throw new Error(`The email address ${email} is taken.`)
    throw error
  }
  return { password }
}
