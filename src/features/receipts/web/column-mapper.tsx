import { type FormEvent, useState } from 'react'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { ColumnMapping } from '../admin-contract.ts'
import { type ColumnField, columnFields, guessColumns, guessStyle } from './column-guess.ts'
import type { UnknownTable } from './use-statement.ts'

interface Props {
  formId: string
  fileName: string
  table: UnknownTable
  /** The columns that were used before. */
  mapping: ColumnMapping | undefined
  onSubmit: (mapping: ColumnMapping) => void
}

const none = '-'
const dateFormats = [
  { value: 'MM/dd/yyyy', label: 'Month, day, year' },
  { value: 'dd/MM/yyyy', label: 'Day, month, year' },
  { value: 'yyyy/MM/dd', label: 'Year, month, day' },
] as const

/** Asks which column of a table has what. The answer is remembered for files with the same headings. */
export function ColumnMapper({ formId, fileName, table: { columns, sample }, mapping, onSubmit }: Props) {
  const headings = [...new Set(columns)].filter(Boolean)
  const [chosen, setChosen] = useState<Partial<Record<ColumnField, string>>>(() =>
    mapping
      ? Object.fromEntries(columnFields.flatMap(({ field }) => (mapping[field] ? [[field, mapping[field]]] : [])))
      : guessColumns(headings),
  )
  const [style, setStyle] = useState<Pick<ColumnMapping, 'dateFormat' | 'decimal'>>(() => mapping ?? guessStyle(sample))
  const [wasSubmitted, setSubmitted] = useState(false)
  const missing: Partial<Record<ColumnField, string>> = {
    ...(!chosen.date && { date: 'Please choose the column of the date' }),
    ...(!chosen.amount && !chosen.credit && { amount: 'Please choose this column, or the one of money in' }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    const { date } = chosen
    if (!date || Object.keys(missing).length > 0) return
    onSubmit({ ...chosen, date, dateFormat: style.dateFormat, decimal: style.decimal })
  }
  const exampleOf = (heading: string | undefined) => {
    const at = heading ? columns.indexOf(heading) : -1
    return sample.map((row) => row[at]).find(Boolean)
  }
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
      <p>
        The format of <b className="break-words">{fileName}</b> is not known. Which column has what? The answer is
        remembered for files with the same headings.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {columnFields.map(({ field, label }) => {
          const example = exampleOf(chosen[field])
          return (
            <Field
              key={field}
              label={label}
              optional={field !== 'date' && field !== 'amount'}
              hint={example && `For example: ${example.slice(0, 60)}`}
              error={wasSubmitted ? missing[field] : undefined}
            >
              <NativeSelect
                value={chosen[field] ?? none}
                onChange={({ target: { value } }) => {
                  const { [field]: _, ...others } = chosen
                  setChosen(value === none ? others : { ...others, [field]: value })
                }}
              >
                <option value={none}>No column</option>
                {headings.map((heading) => (
                  <option key={heading} value={heading}>
                    {heading}
                  </option>
                ))}
              </NativeSelect>
            </Field>
          )
        })}
        <Field label="Order of the date">
          <NativeSelect
            value={style.dateFormat}
            onChange={({ target }) => setStyle({ ...style, dateFormat: target.value as ColumnMapping['dateFormat'] })}
          >
            {dateFormats.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Decimal sign">
          <NativeSelect
            value={style.decimal}
            onChange={({ target }) => setStyle({ ...style, decimal: target.value as ColumnMapping['decimal'] })}
          >
            <option value=".">Point: 24.99</option>
            <option value=",">Comma: 24,99</option>
          </NativeSelect>
        </Field>
      </div>
    </form>
  )
}
