import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, messageOf } from '#kit/caller.ts'
import { callOf, refresh, useSend } from '#web/data.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { type AdminInvoice, listAllInvoices, updateInvoice } from '../contract.ts'
import { AdminInvoiceConsequence, needsAsking } from './admin-invoice-consequence.tsx'
import { bodyFor, type Decision, decisionForm, localDay, startFor } from './admin-invoice-decision.ts'
import { AdminInvoiceDetails } from './admin-invoice-details.tsx'
import { AdminInvoiceFields } from './admin-invoice-fields.tsx'
import { AdminInvoiceTrouble } from './admin-invoice-trouble.tsx'

interface Props {
  /** The invoice as the row showed it; its version and amount are what the administrator decides about. */
  opened: AdminInvoice
  /** The same invoice as the list shows it now, if it does: it changes under an open dialog when somebody else acts. */
  current: AdminInvoice | undefined
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
}

/** Manage Invoice Status (specification 2, Admin Panel): open from its first rendering, rendered anew for every opening. */
export function AdminInvoiceDialog({ opened, current, returnTo }: Props) {
  const client = useQueryClient()
  const formId = useId()
  const [today] = useState(() => localDay(new Date()))
  const [invoice, setInvoice] = useState(opened)
  const [open, setOpen] = useState(true)
  const [asks, setAsks] = useState<'to close' | 'to act'>()
  const form = useForm<Decision>({ defaultValues: startFor(opened, today), resolver: standardSchemaResolver(decisionForm(invoice)) as never })
  const { mutate, isPending, isIdle, error, reset: forget } = useSend(updateInvoice, [listAllInvoices])
  const { isDirty } = form.formState
  const status = form.watch('status')
  const isOutOfDate = error instanceof ApiError && error.status === 409
  const overtaken = isIdle && current && current.version > invoice.version

  const send = (decision: Decision) => {
    setAsks(undefined)
    mutate(
      { params: { invoiceId: invoice.id }, body: bodyFor(invoice, decision, today) },
      {
        onSuccess: (now) => {
          setOpen(false)
          toast({ title: 'Invoice updated', description: `${now.invoiceNumber} of ${now.username} is now ${now.status}.` })
        },
        onError: (failure) => {
          const about = failure instanceof ApiError && failure.issues.find((issue) => issue.path === 'paidAt')
          if (about) form.setError('paidAt', { message: about.message }, { shouldFocus: true })
          toast({ title: 'Update Failed', description: messageOf(failure), variant: 'destructive' })
        },
      },
    )
  }
  const onSubmit = form.handleSubmit((decision) => {
    if (decision.status === invoice.status) return setOpen(false)
    if (needsAsking(invoice, decision.status)) return setAsks('to act')
    send(decision)
  })
  const onOpenChange = (next: boolean) => {
    if (next || isPending) return
    if (isDirty) setAsks('to close')
    else setOpen(false)
  }
  const reload = async () => {
    const { rows } = await callOf(client)(listAllInvoices, { query: { search: invoice.invoiceNumber, pageSize: 1 } })
    const now = rows.find(({ id }) => id === invoice.id)
    if (!now) return setOpen(false)
    setInvoice(now)
    form.reset(startFor(now, today))
    forget()
    // The button that was pressed goes away with the message.
    document.getElementById(`${formId}-status`)?.focus()
    await refresh(client, [listAllInvoices.id])
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Manage Invoice Status"
      description={`Invoice ${invoice.invoiceNumber} of ${invoice.username}`}
      size="form"
      keepOnOutsidePress={isDirty}
      finalFocus={{
        get current() {
          return returnTo()
        },
      }}
      footer={
        <>
          {error && <AdminInvoiceTrouble message={messageOf(error)} onReload={isOutOfDate ? reload : undefined} />}
          {overtaken && <AdminInvoiceTrouble message={`This invoice was changed meanwhile: it is now ${current.status}.`} onReload={reload} />}
          <Button variant="line" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button type="submit" form={formId} pending={isPending}>
            {status === 'paid' && invoice.status !== 'paid' ? 'Confirm Payment' : 'Update Status'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit} noValidate>
        <AdminInvoiceFields id={formId} invoice={invoice} form={form} today={today} />
        <AdminInvoiceDetails invoice={invoice} />
      </form>
      <AdminInvoiceConsequence
        invoice={invoice}
        status={status}
        open={asks === 'to act'}
        onOpenChange={(next) => !next && setAsks(undefined)}
        onConfirm={() => send(form.getValues())}
      />
      <AlertDialog
        open={asks === 'to close'}
        onOpenChange={(next) => !next && setAsks(undefined)}
        title="Discard your changes?"
        description={`Nothing has been saved for ${invoice.username}'s invoice yet.`}
        action="Discard"
        cancel="Keep editing"
        onConfirm={() => {
          setAsks(undefined)
          setOpen(false)
        }}
      />
    </Dialog>
  )
}
