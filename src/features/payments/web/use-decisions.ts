import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError, messageOf } from '#kit/caller.ts'
import { refresh, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { decidePayment, getPayment, listPayments, type PaymentRow, undoPayment } from '../admin-contract.ts'
import { moneyText } from '../rules.ts'
import { type Choice, pastTenseOf, payerOf } from './decisions.ts'

type Subject = Pick<PaymentRow, 'id' | 'version' | 'openCents' | 'currency' | 'payerName' | 'payerHandle'>

/** Returns functions that make decisions and undo them. `onDecided` is called after a decision, `onUndone` after an undo. */
export function useDecisions(onDecided: (row: PaymentRow) => void, onUndone: (row: PaymentRow) => void) {
  const client = useQueryClient()
  const decide = useSend(decidePayment, [listPayments, getPayment])
  const revert = useSend(undoPayment, [listPayments, getPayment])
  const latest = useRef<PaymentRow>(undefined)

  const failed = (title: string) => (error: Error) => {
    toast({ title, description: messageOf(error), variant: 'destructive' })
    // Another administrator decided first, so the current state is loaded.
    if (error instanceof ApiError && error.status === 409) void refresh(client, [listPayments.id, getPayment.id])
  }
  const undo = (row: Pick<PaymentRow, 'id' | 'version'>) =>
    revert.mutate(
      { params: { paymentId: row.id }, body: { version: row.version } },
      {
        onSuccess: (now) => {
          if (latest.current?.id === now.id) latest.current = undefined
          announce(`Undone: ${payerOf(now)}, ${moneyText(now.amount, now.currency)}.`)
          toast({ title: 'Undone', description: `The payment from ${payerOf(now)} is as it was before.` })
          onUndone(now)
        },
        onError: failed('Not undone'),
      },
    )
  const run = (payment: Subject, { decision }: Choice) => {
    if (decide.isPending) return
    decide.mutate(
      {
        params: { paymentId: payment.id },
        body: { ...decision, version: payment.version, expectedOpen: payment.openCents },
      },
      {
        onSuccess: (now) => {
          const isUndoable = decision.action !== 'set_aside' && decision.action !== 'reopen'
          latest.current = isUndoable ? now : undefined
          const title = `${pastTenseOf(decision.action)}: ${moneyText(payment.openCents, payment.currency)} from ${payerOf(payment)}`
          announce(title)
          toast({
            title,
            ...(now.invoiceNumber && { description: now.invoiceNumber }),
            ...(isUndoable && { action: { label: 'Undo', onPress: () => undo(now) } }),
          })
          onDecided(now)
        },
        onError: failed('Nothing was changed'),
      },
    )
  }
  return {
    run,
    undo,
    /** Undoes the latest decision that was made on this page, if there is one. */
    undoLatest: () => latest.current && !revert.isPending && undo(latest.current),
    isPending: decide.isPending || revert.isPending,
  }
}
