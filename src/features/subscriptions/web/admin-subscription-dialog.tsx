import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { listUsers, type UserRow } from '#features/accounts/contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { getCustomer } from '#features/customers/contract.ts'
import { ApiError } from '#kit/caller.ts'
import { callOf, query, refresh, useSend } from '#web/data.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogTrouble } from '#web/ui/dialog-trouble.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSchemaForm } from '#web/ui/use-schema-form.ts'
import { updateSubscription } from '../contract.ts'
import { planLabel, statusNames } from '../rules.ts'
import { AdminSubscriptionFields } from './admin-subscription-fields.tsx'
import { SubscriptionEffect } from './subscription-effect.tsx'
import { bodyFor, effectOf, isUnchanged, startFor, stateOf, subscriptionForm } from './subscription-form.ts'

interface Props {
  /** The user as the row showed them: what the administrator decides about. */
  opened: UserRow
  /** The same user as the list shows them now, if it does: they change under an open dialog when somebody else acts. */
  current: UserRow | undefined
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}

/** Manage Subscription (specification 2, Admin Panel): open from its first rendering, rendered anew for every opening. */
export function AdminSubscriptionDialog({ opened, current, returnTo }: Props) {
  const client = useQueryClient()
  const id = useId()
  const [user, setUser] = useState(opened)
  const [open, setOpen] = useState(true)
  const [asksToClose, setAsksToClose] = useState(false)
  const [isStale, setStale] = useState(false)
  const plans = useQuery(query(listPlans)).data ?? []
  const send = useSend(updateSubscription, [listUsers, getCustomer])
  const shown = stateOf(user)
  const form = useSchemaForm({
    schema: subscriptionForm(shown),
    id,
    fields: ['planId', 'status', 'startDate', 'endDate'],
    defaultValues: startFor(shown),
    onFailure: (message, error) => {
      setStale(error instanceof ApiError && error.code === 'stale')
      toast({ title: 'Update Failed', description: message, variant: 'destructive' })
    },
  })
  const typed = form.watch()
  const isDirty = !isUnchanged(shown, typed)
  const submit = form.onSubmit(async (values) => {
    setStale(false)
    if (isUnchanged(shown, values)) return setOpen(false)
    const now = await send.mutateAsync({ params: { userId: user.id }, body: bodyFor(shown, values) })
    setOpen(false)
    const about = now.planName ? `${now.planName}, ` : ''
    toast({ title: 'Subscription updated', description: `${now.username}: ${about}${statusNames[now.subscriptionStatus]}.` })
  })
  const onOpenChange = (next: boolean) => {
    if (next || form.pending) return
    if (isDirty) setAsksToClose(true)
    else setOpen(false)
  }
  const reload = async () => {
    const { rows } = await callOf(client)(listUsers, { query: { search: user.email, pageSize: 100 } })
    const now = rows.find((row) => row.id === user.id)
    if (!now) return setOpen(false)
    setUser(now)
    form.reset(startFor(stateOf(now)))
    form.forget()
    setStale(false)
    // The button that was pressed goes away with the message.
    document.getElementById(`${id}-planId`)?.focus()
    await refresh(client, [listUsers.id])
  }
  const overtaken = !isStale && current && !form.pending && send.isIdle && !isUnchanged(shown, startFor(stateOf(current)))
  const planName = (planId: number | null) => {
    const known = plans.find((plan) => plan.id === planId)?.name ?? (planId === user.planId ? user.planName : null)
    return planId === null ? 'No Plan' : planLabel({ planId, planName: known })
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Manage Subscription"
      description={`Account ${user.username}, ${user.email}`}
      size="form"
      keepOnOutsidePress={isDirty}
      finalFocus={{
        get current() {
          return returnTo()
        },
      }}
      footer={
        <>
          {form.failure && form.problems.length === 0 && <DialogTrouble message={form.failure} onReload={isStale ? reload : undefined} />}
          {overtaken && <DialogTrouble message="This subscription was changed meanwhile." onReload={reload} />}
          <Button variant="line" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button {...form.button} form={id}>
            Update Subscription
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="grid gap-5">
        <AdminSubscriptionFields form={form} plans={plans} planName={planName} user={user} />
        <SubscriptionEffect before={shown} after={effectOf(shown, typed, plans, new Date())} planName={planName} />
        <p className="text-sm text-fg-2">{user.username} is told by e-mail. Invoices and payments stay as they are.</p>
      </form>
      <AlertDialog
        open={asksToClose}
        onOpenChange={setAsksToClose}
        title="Discard your changes?"
        description={`Nothing has been saved for ${user.username}'s subscription yet.`}
        action="Discard"
        cancel="Keep editing"
        onConfirm={() => {
          setAsksToClose(false)
          setOpen(false)
        }}
      />
    </Dialog>
  )
}
