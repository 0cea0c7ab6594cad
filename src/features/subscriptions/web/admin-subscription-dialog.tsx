import { useQuery } from '@tanstack/react-query'
import { listUsers, type UserRow } from '#features/accounts/admin-contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { query, useReloadRow, useSend } from '#web/data.ts'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { useRowForm } from '#web/ui/form/use-row-form.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { updateSubscription } from '../admin-contract.ts'
import { planLabel, statusNames } from '../rules.ts'
import { AdminSubscriptionFields } from './admin-subscription-fields.tsx'
import { EditPreview } from './edit-preview.tsx'
import { SubscriptionEffect } from './subscription-effect.tsx'
import { initialValues, isUnchanged, requestBody, stateOf, subscriptionForm } from './subscription-form.ts'
import { useEditPreview } from './use-edit-preview.ts'

/** The Manage Subscription dialog of the Admin Panel. Specification 2, Admin Panel. */
export function AdminSubscriptionDialog({ opened, current, returnTo }: RowDialogProps<UserRow>) {
  const plans = useQuery(query(listPlans)).data ?? []
  const send = useSend(updateSubscription, [listUsers, getCustomer])
  const reload = useReloadRow(listUsers)
  const {
    row: user,
    form,
    submit,
    dialog,
  } = useRowForm({
    opened,
    current,
    schema: (row) => subscriptionForm(stateOf(row)),
    fields: ['planId', 'status', 'startDate', 'endDate'],
    valuesOf: (row) => initialValues(stateOf(row)),
    save: async (row, values) =>
      isUnchanged(stateOf(row), values)
        ? undefined
        : await send.mutateAsync({ params: { userId: row.id }, body: requestBody(stateOf(row), values) }),
    savedToast: ({ username, planName, subscriptionStatus }) => ({
      title: 'Subscription updated',
      description: `${username}: ${planName ? `${planName}, ` : ''}${statusNames[subscriptionStatus]}.`,
    }),
    staleMessage: (row, now) =>
      !isUnchanged(stateOf(row), initialValues(stateOf(now))) && 'This subscription has changed since you opened it.',
    reloadRow: ({ id, email }) => reload(email, id),
  })
  const shown = stateOf(user)
  const preview = useEditPreview(user, form.watch())
  const planName = (planId: number | null) => {
    const known = plans.find((plan) => plan.id === planId)?.name ?? (planId === user.planId ? user.planName : null)
    return planId === null ? 'No Plan' : planLabel({ planId, planName: known })
  }

  return (
    <FormDialog
      {...dialog}
      title="Manage Subscription"
      description={`Account ${user.username}, ${user.email}`}
      action="Update Subscription"
      unsavedChanges={`Nothing has been saved for ${user.username}'s subscription yet.`}
      returnTo={returnTo}
    >
      <form id={dialog.formId} noValidate onSubmit={submit} className="grid gap-5">
        <AdminSubscriptionFields form={form} plans={plans} planName={planName} user={user} />
        <SubscriptionEffect before={shown} after={preview.outcome?.after ?? shown} planName={planName} />
        <EditPreview preview={preview} />
        <p className="text-sm text-fg-2">
          {user.username} gets an email about the change. Invoices and payments do not change.
        </p>
      </form>
    </FormDialog>
  )
}
