import { useId } from 'react'

interface Props<Value extends string> {
  label: string
  /** The labels by value, in display order. */
  options: Record<Value, string>
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few values, as radio buttons in one row. */
export function Choice<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="desk-choice">
      <legend>{label}</legend>
      <div>
        {(Object.entries(options) as [Value, string][]).map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
