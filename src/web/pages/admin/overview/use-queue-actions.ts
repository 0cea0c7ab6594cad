import { useQueryClient } from '@tanstack/react-query'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { getWorkCounts } from '#features/desk/admin-contract.ts'
import { getActivity, getFigures } from '#features/desk/admin-overview-contract.ts'
import { getQueue, type QueueItem } from '#features/desk/admin-queue-contract.ts'
import { trialHours } from '#features/desk/queue-text-rules.ts'
import { retryLineJob } from '#features/provisioning/admin-contract.ts'
import { updateTicket } from '#features/tickets/admin-contract.ts'
import { createTrialLine, getTrialLine, type TrialLine, updateTrialRequest } from '#features/trials/admin-contract.ts'
import { formatCents } from '#kit/money.ts'
import { callOf, refresh } from '#web/data.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { ActionFailedError, type Undo } from './use-pressed-rows.ts'

type ItemOf<Kind extends QueueItem['kind']> = Extract<QueueItem, { kind: Kind }>
const lineTries = 20
const lineTryMs = 1_000

/** The toast of a finished action, and a function that undoes the action where that is possible. */
export type ActionOutcome = { title: string; description: string; undo?: Undo }

/** Returns a function that performs the next step of an entry. The function throws `ActionFailedError` with a sentence for the row, or an `ApiError`. */
export function useQueueActions(): (item: QueueItem) => Promise<ActionOutcome> {
  const client = useQueryClient()
  const call = callOf(client)
  const refreshAll = () =>
    refresh(
      client,
      [getQueue, getWorkCounts, getFigures, getActivity].map(({ id }) => id),
    )

  const confirm = async ({ invoiceId, version, amount, username }: ItemOf<'payment'>): Promise<ActionOutcome> => {
    const params = { invoiceId }
    const paid = await call(updateInvoice, { params, body: { status: 'paid', expectedAmount: amount, version } })
    const undo = async () => {
      await call(updateInvoice, {
        params,
        body: { status: 'pending', expectedAmount: paid.amount, version: paid.version },
      })
      toast({ title: 'Undone', description: `${paid.invoiceNumber} of ${username} is pending again.` })
      await refreshAll()
    }
    return {
      title: amount > 0 ? `${formatCents(amount)} confirmed` : 'Change approved',
      description: `${paid.invoiceNumber} of ${username} is paid.`,
      undo,
    }
  }

  const retry = async ({ jobId }: ItemOf<'line'>): Promise<ActionOutcome> => {
    await call(retryLineJob, { params: { jobId } })
    return { title: 'Queued again', description: 'The line will be checked in the panel, and missing changes applied.' }
  }

  const solve = async ({ ticketId, version, from }: ItemOf<'ticket'>): Promise<ActionOutcome> => {
    const params = { ticketId }
    const solved = await call(updateTicket, { params, body: { status: 'solved', version } })
    const undo = async () => {
      await call(updateTicket, { params, body: { status: 'open', version: solved.version } })
      toast({ title: 'Undone', description: `The ticket of ${from} is open again.` })
      await refreshAll()
    }
    return { title: 'Ticket solved', description: `${from} gets no email. A new message opens it again.`, undo }
  }

  /** Creates the line at the panel, waits until it is ready, and approves the request with its credentials. */
  const approve = async ({ requestId, version, username }: ItemOf<'trial'>): Promise<ActionOutcome> => {
    const params = { trialRequestId: requestId }
    let line: TrialLine = await call(createTrialLine, { params, body: { hours: trialHours } })
    for (let tries = 0; line.state === 'waiting' && tries < lineTries; tries++) {
      await new Promise((resolve) => setTimeout(resolve, lineTryMs))
      line = await call(getTrialLine, { params })
    }
    if (line.state !== 'ready')
      throw new ActionFailedError(
        line.message ?? 'The panel has not created the line yet. Open the request to approve it.',
      )
    const { username: trialUsername, password: trialPassword, server: trialServer, expiryDate } = line
    await call(updateTrialRequest, {
      params,
      body: { status: 'approved', trialUsername, trialPassword, trialServer, expiryDate, version },
    })
    return { title: 'Trial approved', description: `${username} can watch for ${trialHours} hours.` }
  }

  const actOn = (item: QueueItem): Promise<ActionOutcome> => {
    switch (item.kind) {
      case 'payment':
        return confirm(item)
      case 'line':
        return retry(item)
      case 'trial':
        return approve(item)
      case 'ticket':
        return solve(item)
      default:
        throw new Error(`Entries of the kind ${item.kind} have no action without a dialog`)
    }
  }

  return async (item) => {
    const done = await actOn(item)
    await refreshAll()
    return done
  }
}
