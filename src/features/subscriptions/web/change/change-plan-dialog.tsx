import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { changeSubscription, listInvoices, quotePlanChange } from '#features/billing/contract.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, refresh, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { changeKind } from '../../change-rules.ts'
import { getOwnSubscription } from '../../contract.ts'
import { ChangePlanCost } from './change-plan-cost.tsx'
import { ChangePlanFeatures } from './change-plan-features.tsx'
import { ChangePlanTerms } from './change-plan-terms.tsx'

interface Props {
  next: Plan
  current: Plan | undefined
  opener: RefObject<HTMLElement | null>
}

/** Requests a plan change. Open on first render; give it a new key for each opening. Specification 2, My Account. */
export function ChangePlanDialog({ next, current, opener }: Props) {
  const client = useQueryClient()
  const [open, setOpen] = useState(true)
  const cancel = useRef<HTMLButtonElement>(null)
  // The price depends on the current time, so it is never cached.
  const quote = useQuery({ ...query(quotePlanChange, { query: { planId: next.id } }), staleTime: 0, gcTime: 0 })
  const { mutateAsync, isPending, error } = useSend(changeSubscription, [currentUser, listInvoices, getOwnSubscription])
  const from = quote.data?.current ?? current
  // The price may have changed since the plans were loaded.
  const to = { ...next, ...quote.data?.next }
  const isUpgrade = current !== undefined && changeKind({ ...current, ...from }, to) === 'Upgrade'

  const confirm = async () => {
    if (!quote.data) return
    try {
      await mutateAsync({ body: { planId: next.id, prorated: true } })
      setOpen(false)
      toast({
        title: 'Subscription change requested',
        description: 'Your subscription change request has been submitted and is pending approval.',
      })
    } catch (failure) {
      toast({ title: 'Failed to change subscription', description: messageOf(failure), variant: 'destructive' })
      // The request may have been refused because of a change made elsewhere, so load the current state.
      void refresh(client, [currentUser.id, listInvoices.id, getOwnSubscription.id])
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(wanted) => !isPending && setOpen(wanted)}
      title={isUpgrade ? 'Upgrade Your Subscription' : 'Change Your Subscription'}
      description="A pro-rated invoice is created, and an administrator must approve the change before it takes effect."
      size="form"
      initialFocus={cancel}
      // A successful request removes the list of plans with the button that opened the dialog.
      returnTo={() =>
        opener.current?.isConnected ? opener.current : focusable(document.getElementById('subscription-title'))
      }
      footer={
        <>
          <Button ref={cancel} variant="line" onClick={() => !isPending && setOpen(false)}>
            Cancel
          </Button>
          <Button pending={isPending} aria-disabled={!quote.data} onClick={confirm}>
            Confirm Change
          </Button>
        </>
      }
    >
      {/* Scrollable on small screens, so it must be focusable for keyboard users. */}
      <section aria-label="What changes and what it costs" tabIndex={0} className="grid gap-5 rounded-md">
        <ChangePlanTerms current={from} next={to} />
        <ChangePlanCost
          quote={quote.data}
          error={quote.error}
          pending={quote.isFetching}
          onRetry={() => void quote.refetch()}
        />
        {current && <ChangePlanFeatures current={current.features} next={next.features} />}
        {error && (
          <Note tone="bad" role="alert">
            {messageOf(error)}
          </Note>
        )}
      </section>
    </Dialog>
  )
}

function focusable(element: HTMLElement | null): HTMLElement | null {
  if (element) element.tabIndex = -1
  return element
}
