import { and, eq, isNull, sql } from 'drizzle-orm'
import { lockBook } from '#features/payments/server/service/lock-book.ts'
import { withdrawPayments } from '#features/payments/server/service/withdraw-payments.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentReceipts, statementFiles } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { StatementFile } from '../../admin-contract.ts'
import { statementOf } from './statement-files.ts'

/**
 * Withdraws a statement: the payments that only this statement reported are withdrawn, and the file may be uploaded again. Throws 404, 409 `withdrawn` if the
 * statement is already withdrawn, and 409 `in_use` if one of these payments is decided.
 */
export async function withdrawStatement(db: Db, id: number, { admin, requestId }: Actor): Promise<StatementFile> {
  return inTransaction(db, async (tx) => {
    await lockBook(tx)
    const [file] = await tx.select().from(statementFiles).where(eq(statementFiles.id, id)).for('update')
    if (!file) return notFound('Statement not found')
    if (file.withdrawnAt) return conflict('withdrawn', 'This statement is already withdrawn.')
    const { rows } = await tx.execute<{ id: number }>(sql`
      select p.id::int from payment_receipts r join payments p on p.id = r.payment_id
      where r.file_id = ${id} and p.source = 'statement'
        and not exists (select from payment_receipts o where o.payment_id = p.id and o.file_id <> ${id})
        and not exists (select from payment_mail_links l where l.payment_id = p.id)
      order by p.id`)
    await withdrawPayments(
      tx,
      rows.map((row) => row.id),
    )
    await tx.delete(paymentReceipts).where(eq(paymentReceipts.fileId, id))
    await tx
      .update(statementFiles)
      .set({ withdrawnBy: admin.id, withdrawnAt: sql`now()` })
      .where(and(eq(statementFiles.id, id), isNull(statementFiles.withdrawnAt)))
    await audit(tx, {
      actorId: admin.id,
      action: 'statement.withdraw',
      targetType: 'statement',
      targetId: id,
      after: { file: file.name, payments: rows.length },
      requestId,
    })
    await changed(tx, 'payment')
    return statementOf(tx, id)
  })
}
