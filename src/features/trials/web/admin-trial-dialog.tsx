import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ApiError, serverMessageOr } from '#kit/caller.ts'
import { callOf, refresh, useSend } from '#web/data.ts'
import { DialogTrouble } from '#web/ui/dialog-trouble.tsx'
import { ErrorSummary } from '#web/ui/error-summary.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSchemaForm } from '#web/ui/use-schema-form.ts'
import { type AdminTrialRequest, listAllTrialRequests, updateTrialRequest } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { decisionForm, startFor } from './admin-trial-decision.ts'
import { AdminTrialDetails } from './admin-trial-details.tsx'
import { AdminTrialFields } from './admin-trial-fields.tsx'

interface Props {
  /** The request as the row showed it. */
  opened: AdminTrialRequest
  /** The same request as the list shows it now, if it does: it changes under an open dialog when somebody else acts. */
  current: AdminTrialRequest | undefined
  returnTo: () => HTMLElement | null
}

/** A trial request to be approved, denied or reopened: open from its first rendering, rendered anew for every opening. */
export function AdminTrialDialog({ opened, current, returnTo }: Props) {
  const client = useQueryClient()
  const formId = useId()
  const [request, setRequest] = useState(opened)
  const [open, setOpen] = useState(true)
  const [isStale, setStale] = useState(false)
  const send = useSend(updateTrialRequest, [listAllTrialRequests])
  const form = useSchemaForm({
    schema: decisionForm(request),
    id: formId,
    fields: ['status', 'trialUsername', 'trialPassword', 'trialServer', 'expiryDate', 'adminNotes'],
    defaultValues: startFor(opened),
    onFailure: (_, error) => {
      setStale(error instanceof ApiError && error.code === 'stale')
      toast({ title: 'Update Failed', description: serverMessageOr(error, 'Failed to update trial request'), variant: 'destructive' })
    },
  })
  const submit = form.onSubmit(async (body) => {
    const now = await send.mutateAsync({ params: { trialRequestId: request.id }, body: { ...body, version: request.version } })
    setOpen(false)
    toast({ title: 'Request Updated', description: `The request of ${now.user.username} is now ${statusNames[now.status]}.` })
  })
  const reload = async () => {
    const { rows } = await callOf(client)(listAllTrialRequests, { query: { search: `#${request.id}`, pageSize: 100 } })
    const now = rows.find(({ id }) => id === request.id)
    if (!now) return setOpen(false)
    setRequest(now)
    setStale(false)
    form.reset(startFor(now))
    // The button that was pressed goes away with the message.
    document.getElementById(`${formId}-status`)?.focus()
    await refresh(client, [listAllTrialRequests.id])
  }
  const isOvertaken = open && !form.pending && !form.failure && current && current.version > request.version
  const trouble = form.failure ?? (isOvertaken ? `This request was changed meanwhile: it is now ${statusNames[current.status]}.` : undefined)

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      title="Manage Trial Request"
      description={`Request ${request.id} of ${request.user.username}`}
      formId={formId}
      action="Update Request"
      dirty={form.isDirty}
      pending={form.pending}
      loss={`Nothing has been saved for ${request.user.username}'s request yet.`}
      trouble={trouble && <DialogTrouble message={trouble} onReload={isStale || isOvertaken ? reload : undefined} />}
      size="wide"
      returnTo={returnTo}
    >
      <AdminTrialDetails request={request} />
      <form id={formId} onSubmit={submit} noValidate className="mt-5 grid gap-4">
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <AdminTrialFields request={request} form={form} />
      </form>
    </FormDialog>
  )
}
