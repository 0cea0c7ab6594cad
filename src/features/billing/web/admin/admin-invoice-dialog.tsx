import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { keepPreviousData, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, messageOf } from '#kit/caller.ts'
import { query, refresh, useReloadRow, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FormDialog } from '#web/ui/dialog/form-dialog.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type AdminInvoice,
  getInvoiceEvidence,
  type InvoiceEvidence,
  listAllInvoices,
  rejectPayment,
  updateInvoice,
  updatePaymentLink,
} from '../../admin-contract.ts'
import { decideRefund } from '../../admin-refund-contract.ts'
import { needsLink } from '../../rules.ts'
import { AdminInvoiceConsequence, needsConfirmation } from './admin-invoice-consequence.tsx'
import {
  type Decision,
  decisionForm,
  initialDecision,
  localDate,
  paidAtToPreview,
  requestBody,
} from './admin-invoice-decision.ts'
import { AdminInvoiceDetails } from './admin-invoice-details.tsx'
import { AdminInvoiceEvidence } from './admin-invoice-evidence.tsx'
import { AdminInvoiceFields } from './admin-invoice-fields.tsx'
import { AdminInvoiceOutcome } from './admin-invoice-outcome.tsx'
import { AdminInvoiceReceived } from './admin-invoice-received.tsx'
import { AdminInvoiceRejectDialog } from './admin-invoice-reject-dialog.tsx'
import { AdminPaymentLinkForm } from './admin-payment-link-form.tsx'
import { AdminRefundSection } from './admin-refund-section.tsx'

/**
 * The Manage Invoice Status dialog. Decisions contain the displayed version and amount, so that outdated decisions are refused. Specification 2, Admin
 * Panel.
 */
export function AdminInvoiceDialog({ opened, current, returnTo }: RowDialogProps<AdminInvoice>) {
  const client = useQueryClient()
  const again = useReloadRow(listAllInvoices)
  const formId = useId()
  const [today] = useState(() => localDate(new Date()))
  const [invoice, setInvoice] = useState(opened)
  const [open, setOpen] = useState(true)
  useOpenedItem(open ? `invoice:${opened.id}` : null)
  const [openDialog, setOpenDialog] = useState<'confirm' | 'reject'>()
  const form = useForm<Decision>({
    defaultValues: initialDecision(opened, today),
    resolver: standardSchemaResolver(decisionForm(invoice)) as never,
  })
  const {
    mutate,
    isPending,
    isIdle,
    error,
    reset: forget,
  } = useSend(updateInvoice, [listAllInvoices, getInvoiceEvidence])
  const [linkTyped, setLinkTyped] = useState(false)
  const isDirty = form.formState.isDirty || linkTyped
  const status = form.watch('status')
  const isOutOfDate = error instanceof ApiError && error.status === 409
  const rejectButton = useRef<HTMLButtonElement>(null)
  const reasonDraft = useRef('')
  const paidAt = paidAtToPreview(status, form.watch('paidAt'), today)
  const evidence = useQuery({
    ...query(getInvoiceEvidence, { params: { invoiceId: invoice.id }, query: paidAt ? { paidAt } : {} }),
    placeholderData: keepPreviousData,
    // Cached evidence may be outdated.
    refetchOnMount: 'always',
  })
  const now = [evidence.data?.invoice, current].find((seen) => seen && seen.version > invoice.version)
  // The administrator's own change may arrive over the socket before the response; it is not reported as a conflict.
  const isActing =
    useIsMutating({
      predicate: ({ options }) =>
        [rejectPayment.id, updatePaymentLink.id, decideRefund.id].includes(String(options.mutationKey?.[0])),
    }) > 0
  const overtaken = isIdle && !isActing && now
  const outcome = evidence.data?.outcomes.find((each) => each.status === status)
  const isRejectable =
    invoice.submittedAt !== null && invoice.amount > 0 && (invoice.status === 'pending' || invoice.status === 'expired')

  const send = (decision: Decision) => {
    setOpenDialog(undefined)
    mutate(
      { params: { invoiceId: invoice.id }, body: requestBody(invoice, decision, today) },
      {
        onSuccess: (now) => {
          setOpen(false)
          toast({
            title: 'Invoice updated',
            description: `${now.invoiceNumber} of ${now.username} is now ${now.status}.`,
          })
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
    if (needsConfirmation(invoice, decision.status)) return setOpenDialog('confirm')
    send(decision)
  })
  const reload = async () => {
    const now = await again(invoice.invoiceNumber, invoice.id)
    if (!now) return setOpen(false)
    setInvoice(now)
    form.reset(initialDecision(now, today))
    forget()
    // The pressed button disappears with the message, so the focus moves to the form.
    document.getElementById(`${formId}-status`)?.focus()
    await refresh(client, [getInvoiceEvidence.id])
  }

  const linkForm = invoice.status === 'pending' && invoice.paymentMethod === 'creditcard' && (
    <AdminPaymentLinkForm
      key={invoice.paymentLink}
      invoice={invoice}
      onTyped={() => setLinkTyped(true)}
      onSaved={(saved) => {
        setInvoice(saved)
        setLinkTyped(false)
      }}
    />
  )

  return (
    <FormDialog
      open={open}
      onClose={() => setOpen(false)}
      formId={formId}
      action={status === 'paid' && invoice.status !== 'paid' ? 'Confirm Payment' : 'Update Status'}
      dirty={isDirty}
      unsavedChanges={`Nothing has been saved for ${invoice.username}'s invoice yet.`}
      pending={isPending}
      title="Manage Invoice Status"
      description={`Invoice ${invoice.invoiceNumber} of ${invoice.username}`}
      size="wide"
      fixedHeight
      returnTo={returnTo}
      error={
        error
          ? { message: messageOf(error), onReload: isOutOfDate ? reload : undefined }
          : overtaken && { message: changedMessage(overtaken, evidence.data?.history), onReload: reload }
      }
      extra={
        isRejectable && (
          <Button ref={rejectButton} variant="line" className="sm:mr-auto" onClick={() => setOpenDialog('reject')}>
            Reject Payment
          </Button>
        )
      }
    >
      {needsLink(invoice) && linkForm}
      {invoice.refund && <AdminRefundSection invoice={invoice} onDecided={() => setOpen(false)} />}
      <form id={formId} onSubmit={onSubmit} noValidate>
        <AdminInvoiceFields id={formId} invoice={invoice} form={form} today={today} />
        {status !== invoice.status && (
          <section
            aria-labelledby={`${formId}-outcome`}
            aria-busy={evidence.isFetching}
            className="mt-5 rounded-md border p-4 text-15"
          >
            <h3 id={`${formId}-outcome`} className="mb-1.5 text-base">
              What this does
            </h3>
            <AdminInvoiceOutcome invoice={invoice} outcome={outcome} />
          </section>
        )}
        <AdminInvoiceDetails invoice={invoice} />
      </form>
      <AdminInvoiceReceived invoice={invoice} />
      {!needsLink(invoice) && linkForm}
      {evidence.data ? (
        <AdminInvoiceEvidence evidence={evidence.data} />
      ) : (
        evidence.error && (
          <FormError message={messageOf(evidence.error)} onReload={async () => void (await evidence.refetch())} />
        )
      )}
      {openDialog === 'reject' && (
        <AdminInvoiceRejectDialog
          invoice={invoice}
          draft={reasonDraft}
          returnTo={rejectButton}
          onClose={() => setOpenDialog(undefined)}
          onRejected={() => {
            setOpenDialog(undefined)
            setOpen(false)
          }}
        />
      )}
      <AdminInvoiceConsequence
        invoice={invoice}
        status={status}
        outcome={outcome}
        open={openDialog === 'confirm'}
        onOpenChange={(next) => !next && setOpenDialog(undefined)}
        onConfirm={() => send(form.getValues())}
      />
    </FormDialog>
  )
}

/** Returns the message about a concurrent change of the invoice; it names the administrator if one made the change. */
function changedMessage({ status, version }: AdminInvoice, history: InvoiceEvidence['history'] = []): string {
  const last = history.find((each) => each.version === version)
  return `This invoice was changed${last?.by ? ` by ${last.by}` : ''} since you opened it: it is now ${status}.`
}
