import { NativeSelect } from '../form/native-select.tsx'

interface Props<Value extends string> {
  label: string
  /** The choice of no filter: "All statuses". */
  all: string
  options: readonly Value[]
  nameOf: (value: Value) => string
  value: string | undefined
  onChange: (value: Value | undefined) => void
}

const any = 'all'

/** One filter of a list, beside its search. */
export function FilterSelect<Value extends string>({ label, all, options, nameOf, value, onChange }: Props<Value>) {
  return (
    <NativeSelect
      className="input-sm"
      aria-label={label}
      value={value ?? any}
      onChange={({ target }) => onChange(target.value === any ? undefined : (target.value as Value))}
    >
      <option value={any}>{all}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {nameOf(option)}
        </option>
      ))}
    </NativeSelect>
  )
}
