import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { adminRequests, users } from '#server/db/tables.ts'
import type { Actor } from '#server/session/actor.ts'
import { isConfirmedBySecondAdministrator } from '#server/session/administrators.ts'
import type { PaymentDetail } from '../../admin-contract.ts'
import { moneyText } from '../../rules.ts'
import type { Payment } from './compare-payment.ts'
import type { PaymentTerms } from './payment-terms.ts'

type Request = {
  payment: Pick<Payment, 'id' | 'currency'>
  /** The number of cents that the action moves. */
  cents: number
  /** The parameters of the action. The second administrator must request exactly the same. */
  what: object
  words: string
}

/**
 * Whether an action on a payment may take effect: its amount is small enough for one administrator, or another administrator requested the same action within a
 * day. Otherwise the request is recorded; the caller must then commit and throw `needsSecondAdministrator`.
 */
export async function isSeconded(
  tx: Tx,
  { payment, cents, what, words }: Request,
  { secondPersonDollars }: PaymentTerms['desk'],
  actor: Actor,
): Promise<boolean> {
  if (secondPersonDollars === 0 || cents <= secondPersonDollars * 100) return true
  return isConfirmedBySecondAdministrator(
    tx,
    {
      action: 'payment',
      target: payment.id,
      what,
      about: `Payment ${payment.id} of ${moneyText(cents, payment.currency)}: ${words}`,
      needs: 'payments.decide',
    },
    actor,
  )
}

/**
 * Returns the limit above which a decision needs two administrators, and who requested an action on the payment within a day. Null if one administrator is
 * enough, and for a decided payment without such a request.
 */
export async function secondPersonOf(
  db: Db,
  { paymentId, openCents, isWaiting }: { paymentId: number; openCents: number; isWaiting: boolean },
  { secondPersonDollars }: PaymentTerms['desk'],
): Promise<PaymentDetail['secondPerson']> {
  if (secondPersonDollars === 0 || (isWaiting && openCents <= secondPersonDollars * 100)) return null
  const [asked] = await db
    .select({ by: users.username, at: adminRequests.requestedAt })
    .from(adminRequests)
    .innerJoin(users, eq(users.id, adminRequests.requestedBy))
    .where(
      sql`${adminRequests.action} = 'payment' and ${adminRequests.target} = ${String(paymentId)} and ${adminRequests.requestedAt} > now() - interval '1 day'`,
    )
  return isWaiting || asked ? { aboveDollars: secondPersonDollars, asked: asked ?? null } : null
}
