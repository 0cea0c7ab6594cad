import type { Db } from '#server/db/connect.ts'
import { Refusal } from '#server/errors.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminInvoice } from '../../../admin-contract.ts'
import { reviewFlagLabel, reviewFlags } from '../../../rules.ts'
import { adminInvoices } from '../read-invoices.ts'
import { decideInvoice } from './decide-invoice.ts'

type Confirmation = { invoiceId: number; version: number; expectedAmount: number; acknowledged: boolean }
type Result = {
  invoiceId: number
  invoiceNumber: string | null
  done: boolean
  code: string | null
  message: string | null
}

/**
 * Confirms several payments, each in its own transaction and only if version and amount (cents) are unchanged. Skips flagged payments that were not
 * acknowledged. A refusal is reported in the result of its payment, and the other payments are still processed. Results are in request order.
 */
export async function confirmPayments(db: Db, confirmations: Confirmation[], actor: Approver): Promise<Result[]> {
  const rows = await adminInvoices(
    db,
    confirmations.map(({ invoiceId }) => invoiceId),
  )
  const results: Result[] = []
  for (const confirmation of confirmations) {
    const row = rows.find(({ id }) => id === confirmation.invoiceId)
    const refused = await confirmOne(db, row, confirmation, actor)
    results.push({
      invoiceId: confirmation.invoiceId,
      invoiceNumber: row?.invoiceNumber ?? null,
      done: refused === null,
      code: null,
      message: null,
      ...refused,
    })
  }
  return results
}

async function confirmOne(
  db: Db,
  row: AdminInvoice | undefined,
  { invoiceId, version, expectedAmount, acknowledged }: Confirmation,
  actor: Approver,
) {
  if (row && row.version === version && !acknowledged) {
    const flags = reviewFlags(row, actor.admin.id).map((flag) => reviewFlagLabel(flag, row))
    if (flags.length > 0)
      return { code: 'needs_acknowledgement', message: `Not acknowledged: ${flags.map(uncapitalized).join(', ')}.` }
  }
  try {
    await decideInvoice(
      db,
      invoiceId,
      { status: 'paid', version, expectedAmount, acknowledgeDuplicate: acknowledged },
      actor,
    )
    return null
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, message: error.message }
    throw error
  }
}

const uncapitalized = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)
