import type { Download } from '#kit/download.ts'
import type { Db } from '#server/db/connect.ts'
import type { Reader } from '#server/session/session.ts'
import { creditNotePdf } from '../../credit-note-pdf.ts'
import { readPdfBrand } from '../../pdf-brand.ts'
import { creditNoteDetail } from './read-refunds.ts'

/**
 * Returns a credit note as a PDF. The access rules are the same as for its page: throws 404, including for another customer's note, and audits access
 * by staff.
 */
export async function downloadCreditNote(db: Db, reader: Reader, number: string, requestId: string): Promise<Download> {
  const [note, brand] = await Promise.all([creditNoteDetail(db, reader, number, requestId), readPdfBrand(db)])
  return {
    name: `Credit-Note-${note.number}.pdf`,
    bytes: await creditNotePdf(note, brand),
  }
}
