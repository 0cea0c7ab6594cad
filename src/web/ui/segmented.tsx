import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

interface Option<Value extends string | number> {
  value: Value
  label: ReactNode
  disabled?: boolean
}

interface Props<Value extends string | number> {
  legend: string
  /** Shows the legend above the options; otherwise only screen readers read it. */
  legendShown?: boolean
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
  className?: string
}

/** A choice between a few options, as joined buttons. They are radio buttons, so the arrow keys change the selection. */
export function Segmented<Value extends string | number>({
  legend,
  legendShown = false,
  options,
  value,
  onChange,
  className,
}: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={clsx('segmented-field', className)}>
      <legend className={legendShown ? 'field-label mb-1.5' : 'sr-only'}>{legend}</legend>
      <div className="segmented">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
