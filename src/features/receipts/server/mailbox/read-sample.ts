import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { Output } from '#kit/endpoint.ts'
import { withVisibleMarks } from '#kit/untrusted-text.ts'
import type { Db } from '#server/db/connect.ts'
import type { readSampleEmail } from '../../admin-mailbox-contract.ts'
import { type DnsResolver, verifyMail } from '../read/mail/authenticity.ts'
import { readMail } from '../read/mail/read-mail.ts'
import { mailContext, systemResolver } from './config.ts'

/**
 * Reads one email as the mailbox reader would, without writing anything. Returns whether the sender is proven, and what is read from the email even if it would
 * not be trusted.
 */
export async function readSample(
  db: Db,
  bytes: Uint8Array,
  resolver: DnsResolver = systemResolver,
): Promise<Output<typeof readSampleEmail>> {
  const raw = withLineEndings(bytes)
  const context = await mailContext({ db, resolver })
  const authenticity = await verifyMail(raw, context)
  const found = await readMail(raw, { ...context, verified: authenticity })
  const isDoubted = found.outcome === 'refused' && authenticity.refused !== null
  const shown = isDoubted ? await readMail(raw, { ...context, verified: { ...authenticity, refused: null } }) : found
  return {
    isTrusted: found.outcome === 'payment',
    auth: found.auth === 'stated' ? 'unproven' : found.auth,
    signedBy: found.signedBy,
    signedAt: authenticity.signedAt?.toISOString() ?? null,
    outcome: found.outcome,
    reason: found.reason,
    alsoAgainst: isDoubted && shown.outcome !== 'payment' ? shown.reason : null,
    isKnownLayout: shown.template !== null,
    payments: shown.payments.map(paymentOf),
  }
}

/** Returns the email with CRLF line endings. A pasted email has the line endings of the browser, but its signature covers the original ones. */
function withLineEndings(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString('latin1')
  return text.includes('\r\n') ? Buffer.from(bytes) : Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1')
}

const paymentOf = (facts: PaymentFacts): Output<typeof readSampleEmail>['payments'][number] => ({
  rail: facts.rail,
  direction: facts.direction,
  amount: facts.amount,
  currency: facts.currency,
  isFinal: facts.final,
  payer: withVisibleMarks([facts.payerName, facts.payerHandle].filter(Boolean).join(', ')),
  note: withVisibleMarks(facts.note ?? ''),
  providerReference: facts.providerReference,
  paidAt: facts.paidAt,
})
