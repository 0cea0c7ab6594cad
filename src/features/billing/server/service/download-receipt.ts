import type { Download } from '#kit/download.ts'
import type { Db } from '#server/db/connect.ts'
import { Refusal } from '#server/errors.ts'
import { downloadInvoice } from './download-invoice.ts'

/** Returns the invoice PDF that is attached to an email to its owner; undefined if the user does not own the invoice. */
export async function downloadReceipt(db: Db, userId: number, invoiceNumber: string): Promise<Download | undefined> {
  try {
    return await downloadInvoice(db, { id: userId, permissions: [] }, invoiceNumber, '')
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}
