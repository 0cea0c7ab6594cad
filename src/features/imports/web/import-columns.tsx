import { useState } from 'react'
import { ColumnFields } from '#web/ui/form/column-fields.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { type ValueStyle, ValueStyleFields } from '#web/ui/form/value-style-fields.tsx'
import type { ImportMapping } from '../admin-contract.ts'
import { type ColumnField, columnFields } from '../rules.ts'
import { ColumnsForm } from './columns-form.tsx'
import type { UnknownColumns } from './use-import-upload.ts'

interface Props {
  fileName: string
  table: UnknownColumns
  refusal: string | undefined
  pending: boolean
  onSubmit: (mapping: ImportMapping) => void
  onCancel: () => void
}

/** The form that assigns the columns of a customer file to fields. */
export function ImportColumns({ fileName, table, refusal, pending, onSubmit, onCancel }: Props) {
  const { dateFormat = 'MM/dd/yyyy', decimal = '.', planMonths, ...suggested } = table.suggested
  const [chosen, setChosen] = useState<Partial<Record<ColumnField, string>>>(suggested)
  const [style, setStyle] = useState<ValueStyle>({ dateFormat, decimal })
  const [months, setMonths] = useState(planMonths?.toString() ?? '')
  const [wasSubmitted, setSubmitted] = useState(false)
  const submit = () => {
    setSubmitted(true)
    const { email } = chosen
    if (email) onSubmit({ ...chosen, ...style, email, ...(months && { planMonths: Number(months) }) })
  }
  return (
    <ColumnsForm
      fileName={fileName}
      refusal={refusal}
      pending={pending}
      note="If the file has no usernames, they are derived from the email addresses."
      onSubmit={submit}
      onCancel={onCancel}
    >
      <ColumnFields
        fields={columnFields.map(({ field, label }) => ({
          field,
          label,
          optional: field !== 'email',
          error:
            wasSubmitted && field === 'email' && !chosen.email
              ? 'Please choose the column of the email address'
              : undefined,
        }))}
        table={table}
        chosen={chosen}
        onChange={setChosen}
      />
      <Field label="Months of the plan, if the file has no such column" optional>
        <NativeSelect value={months} onChange={({ target }) => setMonths(target.value)}>
          <option value="">Not the same for all customers</option>
          {[1, 2, 3, 6, 12, 24].map((count) => (
            <option key={count} value={count}>
              {count === 1 ? '1 month' : `${count} months`}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <ValueStyleFields value={style} onChange={setStyle} />
    </ColumnsForm>
  )
}
