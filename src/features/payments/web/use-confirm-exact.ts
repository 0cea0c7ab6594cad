import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { callOf, refresh } from '#web/data.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { decidePayment, getPayment, listPayments, type PaymentRow } from '../admin-contract.ts'

/** A payment that matches one invoice exactly. */
export type ExactPayment = PaymentRow & { invoiceId: number }
/** Returns the payments that match one invoice exactly, which can be confirmed together. */
export const exactPayments = (rows: readonly PaymentRow[]): ExactPayment[] =>
  rows.filter((row): row is ExactPayment => row.ready && row.kind === 'exact' && row.invoiceId !== null)
/** Returns "1 payment" or "4 payments". */
export const paymentsText = (count: number): string => (count === 1 ? '1 payment' : `${count} payments`)
export const confirmDecision = ({ invoiceId }: ExactPayment) => ({
  action: 'confirm' as const,
  invoiceIds: [invoiceId],
})

/** The progress of a bulk confirmation. `asked` and `done` are payment ids. `reasons` says why payments were not confirmed, by id. */
type Run = { asked: number[]; done: number[]; reasons: ReadonlyMap<number, string>; isRunning: boolean }

/** Confirms payments one after another, each in its own transaction. `onAllConfirmed` is called if none was refused. */
export function useConfirmExact(onAllConfirmed: () => void) {
  const client = useQueryClient()
  const [run, setRun] = useState<Run>()
  const start = async (rows: readonly ExactPayment[]) => {
    const call = callOf(client)
    const asked = rows.map(({ id }) => id)
    const done: number[] = []
    const reasons = new Map<number, string>()
    const report = (isRunning: boolean) => setRun({ asked, done: [...done], reasons: new Map(reasons), isRunning })
    report(true)
    for (const row of rows) {
      const body = { ...confirmDecision(row), version: row.version, expectedOpen: row.openCents }
      try {
        await call(decidePayment, { params: { paymentId: row.id }, body })
        done.push(row.id)
      } catch (failure) {
        reasons.set(row.id, messageOf(failure))
      }
      report(true)
    }
    report(false)
    const cents = rows.filter(({ id }) => done.includes(id)).reduce((sum, { openCents }) => sum + openCents, 0)
    toast({
      title:
        reasons.size === 0
          ? `${paymentsText(done.length)} confirmed`
          : `${done.length} of ${paymentsText(asked.length)} confirmed`,
      description:
        done.length > 0
          ? `${formatCents(cents)} confirmed. You can undo each one under Done.`
          : 'The list shows the reasons.',
      ...(reasons.size > 0 && { variant: 'destructive' as const }),
    })
    if (reasons.size === 0) onAllConfirmed()
    await refresh(client, [listPayments.id, getPayment.id])
  }
  return { run, start }
}
