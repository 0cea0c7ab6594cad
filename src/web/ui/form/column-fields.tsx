import { Field } from './field.tsx'
import { NativeSelect } from './native-select.tsx'

export interface ColumnChoice<Name extends string> {
  field: Name
  label: string
  /** The message while nothing is chosen. */
  error?: string | undefined
  optional: boolean
}
type Chosen<Name extends string> = Partial<Record<Name, string>>
interface Props<Name extends string> {
  fields: readonly ColumnChoice<Name>[]
  /** The headings of the table, and its first rows. */
  table: { columns: string[]; sample: string[][] }
  chosen: Chosen<Name>
  onChange: (chosen: Chosen<Name>) => void
}

const none = '-'

/** For each field a select of the column that contains it, with an example from the first rows. */
export function ColumnFields<Name extends string>({ fields, table, chosen, onChange }: Props<Name>) {
  const headings = [...new Set(table.columns)].filter(Boolean)
  const exampleOf = (heading: string | undefined) => {
    const at = heading ? table.columns.indexOf(heading) : -1
    return table.sample.map((row) => row[at]).find(Boolean)
  }
  const choose = (field: Name, value: string) => {
    const { [field]: _, ...others } = chosen
    onChange((value === none ? others : { ...others, [field]: value }) as Chosen<Name>)
  }
  return fields.map(({ field, label, error, optional }) => {
    const example = exampleOf(chosen[field])
    return (
      <Field
        key={field}
        label={label}
        optional={optional}
        hint={example && `For example: ${example.slice(0, 60)}`}
        error={error}
      >
        <NativeSelect value={chosen[field] ?? none} onChange={({ target }) => choose(field, target.value)}>
          <option value={none}>No column</option>
          {headings.map((heading) => (
            <option key={heading} value={heading}>
              {heading}
            </option>
          ))}
        </NativeSelect>
      </Field>
    )
  })
}
