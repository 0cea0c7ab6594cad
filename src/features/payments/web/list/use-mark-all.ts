import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { decidePayment, getPayment, listPayments, type PaymentRow } from '../../admin-contract.ts'
import { paymentsText } from '../use-confirm-exact.ts'

/** Returns a function that marks payments as not ours, one after another, each in its own transaction. */
export function useMarkAll() {
  const client = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  const markAll = async (rows: readonly PaymentRow[]) => {
    const call = callOf(client)
    setRunning(true)
    let done = 0
    let failure: string | undefined
    for (const { id, version, openCents } of rows)
      try {
        const body = { action: 'not_ours' as const, version, expectedOpen: openCents }
        await call(decidePayment, { params: { paymentId: id }, body })
        done++
      } catch (error) {
        failure ??= messageOf(error)
      }
    setRunning(false)
    toast({
      title: `${paymentsText(done)} marked as not ours`,
      description: failure ?? 'You can undo each one under Done.',
      ...(failure && { variant: 'destructive' as const }),
    })
    await refresh(client, [listPayments.id, getPayment.id])
  }
  return { markAll, isRunning }
}
