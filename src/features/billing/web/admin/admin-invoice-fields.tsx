import type { UseFormReturn } from 'react-hook-form'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Note } from '#web/ui/note.tsx'
import type { AdminInvoice } from '../../admin-contract.ts'
import { hasRepeatedCode } from '../../rules.ts'
import { type Decision, statusOptions } from './admin-invoice-decision.ts'

interface Props {
  /** The prefix for the ids of the controls. */
  id: string
  invoice: AdminInvoice
  form: UseFormReturn<Decision>
  today: string
}

/** The status field and, for a paid invoice, the payment date and the acknowledgement. */
export function AdminInvoiceFields({ id, invoice, form, today }: Props) {
  const { register, watch, formState } = form
  const { errors } = formState
  const isPaid = invoice.status === 'paid'
  const pays = watch('status') === 'paid'

  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field id={`${id}-status`} label="Status" error={errors.status?.message}>
          <NativeSelect {...register('status')}>
            {statusOptions(invoice).map((status) => (
              <option key={status} value={status}>
                {status.slice(0, 1).toUpperCase() + status.slice(1)}
                {status === invoice.status && ' (now)'}
              </option>
            ))}
          </NativeSelect>
        </Field>
        {pays && (
          <Field
            id={`${id}-paidAt`}
            label="Payment date"
            error={errors.paidAt?.message}
            hint={isPaid && 'To change it, move the invoice back to pending.'}
          >
            <Input type="date" max={today} readOnly={isPaid} {...register('paidAt')} />
          </Field>
        )}
      </div>
      {invoice.duplicateCode && (
        <Note tone="bad" className="mt-4">
          <b>The confirmation code {invoice.confirmationCode} was also given for another invoice.</b> Please make sure
          that one payment is not counted twice.
        </Note>
      )}
      {invoice.similarCode && (
        <Note tone="bad" className="mt-4">
          <b>
            The confirmation code {invoice.confirmationCode} differs by one character from the code of{' '}
            {invoice.similarCode}.
          </b>{' '}
          Please make sure that one payment is not counted twice.
        </Note>
      )}
      {hasRepeatedCode(invoice) && pays && !isPaid && (
        <Checkbox
          className="mt-3"
          label="I have checked that this payment was made for this invoice"
          error={errors.acknowledgeDuplicate?.message}
          {...register('acknowledgeDuplicate')}
        />
      )}
    </>
  )
}
