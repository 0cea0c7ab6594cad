import { type FormEvent, useState } from 'react'
import { ColumnFields } from '#web/ui/form/column-fields.tsx'
import { type ValueStyle, ValueStyleFields } from '#web/ui/form/value-style-fields.tsx'
import type { ColumnMapping } from '../admin-contract.ts'
import { type ColumnField, columnFields, guessColumns, guessStyle } from './column-guess.ts'
import type { UnknownTable } from './use-statement.ts'

interface Props {
  formId: string
  fileName: string
  table: UnknownTable
  /** The columns of an earlier preview of this file. */
  mapping: ColumnMapping | undefined
  onSubmit: (mapping: ColumnMapping) => void
}

/** Asks which columns of a table contain which fields. The choice is stored for files with the same headings. */
export function ColumnMapper({ formId, fileName, table, mapping, onSubmit }: Props) {
  const [chosen, setChosen] = useState<Partial<Record<ColumnField, string>>>(() =>
    mapping
      ? Object.fromEntries(columnFields.flatMap(({ field }) => (mapping[field] ? [[field, mapping[field]]] : [])))
      : guessColumns([...new Set(table.columns)].filter(Boolean)),
  )
  const [style, setStyle] = useState<ValueStyle>(() => mapping ?? guessStyle(table.sample))
  const [wasSubmitted, setSubmitted] = useState(false)
  const missing: Partial<Record<ColumnField, string>> = {
    ...(!chosen.date && { date: 'Please choose the column of the date' }),
    ...(!chosen.amount && !chosen.credit && { amount: 'Please choose this column, or the column “Money in”' }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    const { date } = chosen
    if (!date || Object.keys(missing).length > 0) return
    onSubmit({ ...chosen, date, dateFormat: style.dateFormat, decimal: style.decimal })
  }
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
      <p>
        The format of <b className="break-words">{fileName}</b> is not known. Which columns contain these fields? Your
        choice is remembered for files with the same headings.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <ColumnFields
          fields={columnFields.map(({ field, label }) => ({
            field,
            label,
            optional: field !== 'date' && field !== 'amount',
            error: wasSubmitted ? missing[field] : undefined,
          }))}
          table={table}
          chosen={chosen}
          onChange={setChosen}
        />
        <ValueStyleFields value={style} onChange={setStyle} />
      </div>
    </form>
  )
}
