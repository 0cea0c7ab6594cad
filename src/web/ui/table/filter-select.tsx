import { NativeSelect } from '../form/native-select.tsx'

interface Props<Value extends string> {
  label: string
  /** The label of the option without a filter: "All statuses". */
  all: string
  options: readonly Value[]
  nameOf: (value: Value) => string
  value: string | undefined
  onChange: (value: Value | undefined) => void
}

const unfiltered = 'all'

/** A filter of a list, beside its search. */
export function FilterSelect<Value extends string>({ label, all, options, nameOf, value, onChange }: Props<Value>) {
  return (
    <NativeSelect
      className="input-sm"
      aria-label={label}
      value={value ?? unfiltered}
      onChange={({ target }) => onChange(target.value === unfiltered ? undefined : (target.value as Value))}
    >
      <option value={unfiltered}>{all}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {nameOf(option)}
        </option>
      ))}
    </NativeSelect>
  )
}
