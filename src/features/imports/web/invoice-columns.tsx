import { useState } from 'react'
import { ColumnFields } from '#web/ui/form/column-fields.tsx'
import { type ValueStyle, ValueStyleFields } from '#web/ui/form/value-style-fields.tsx'
import type { InvoiceMapping } from '../admin-contract.ts'
import { type InvoiceField, invoiceFields } from '../invoice-rules.ts'
import { ColumnsForm } from './columns-form.tsx'
import type { UnknownColumns } from './use-import-upload.ts'

interface Props {
  fileName: string
  table: UnknownColumns
  refusal: string | undefined
  pending: boolean
  onSubmit: (mapping: InvoiceMapping) => void
  onCancel: () => void
}

/** The form that assigns the columns of an invoice file to fields. */
export function InvoiceColumns({ fileName, table, refusal, pending, onSubmit, onCancel }: Props) {
  const { dateFormat = 'MM/dd/yyyy', decimal = '.', planMonths: _, ...suggested } = table.suggested
  const [chosen, setChosen] = useState<Partial<Record<InvoiceField, string>>>(suggested)
  const [style, setStyle] = useState<ValueStyle>({ dateFormat, decimal })
  const [wasSubmitted, setSubmitted] = useState(false)
  const hasCustomer = chosen.email !== undefined || chosen.otherId !== undefined
  const submit = () => {
    setSubmitted(true)
    const { number, issuedOn, amount, status } = chosen
    if (hasCustomer && number && issuedOn && amount && status)
      onSubmit({ ...chosen, ...style, number, issuedOn, amount, status })
  }
  const errorOf = (field: InvoiceField, label: string, optional: boolean): string | undefined => {
    if (!wasSubmitted) return undefined
    if (field === 'email') return hasCustomer ? undefined : 'Please choose this column or the customer ID'
    return optional || chosen[field] ? undefined : `Please choose the column of the ${label.toLowerCase()}`
  }
  return (
    <ColumnsForm
      fileName={fileName}
      refusal={refusal}
      pending={pending}
      note="Customers are found by email address, or by the ID that was stored when they were imported."
      onSubmit={submit}
      onCancel={onCancel}
    >
      <ColumnFields
        fields={invoiceFields.map(({ field, label, optional }) => ({
          field,
          label,
          optional,
          error: errorOf(field, label, optional),
        }))}
        table={table}
        chosen={chosen}
        onChange={setChosen}
      />
      <ValueStyleFields value={style} onChange={setStyle} />
    </ColumnsForm>
  )
}
