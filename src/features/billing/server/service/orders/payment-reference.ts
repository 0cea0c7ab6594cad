import { sql } from 'drizzle-orm'
import type { PaymentMethods } from '#features/settings/contract.ts'
import type { Tx } from '#server/db/connect.ts'
import { paymentPhrases } from '../../payment-phrases.ts'

export type NoteStyle = PaymentMethods['noteStyle']

/** A phrase is not reused for this many days after its invoice closed, so that the note of a late payment still identifies one order. */
const reuseAfterDays = 90

/**
 * Returns a random phrase that is used neither by an open invoice nor by one that closed in the last `reuseAfterDays` days; null if all phrases are in
 * use. An advisory lock held until the end of the transaction prevents two invoices from getting the same phrase.
 */
export async function choosePaymentReference(tx: Tx): Promise<string | null> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('invoices.payment_reference'))`)
  const { rows } = await tx.execute<{
    phrase: string
  }>(sql`SELECT phrase FROM jsonb_array_elements_text(${JSON.stringify(paymentPhrases)}::jsonb) phrase
    WHERE NOT EXISTS (SELECT FROM invoices WHERE payment_reference = phrase AND (status IN ('draft', 'pending')
      OR coalesce(paid_at, least(expires_at, now())) > now() - make_interval(days => ${reuseAfterDays}))) ORDER BY random() LIMIT 1`)
  return rows[0]?.phrase ?? null
}
