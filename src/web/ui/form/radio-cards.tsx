import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './field-error.tsx'

interface Choice {
  value: string
  title: ReactNode
  description?: ReactNode
  /** At the end of the card: a price, a badge. */
  aside?: ReactNode
  icon?: ReactNode
  disabled?: boolean
}

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue' | 'id'> {
  legend: ReactNode
  /** Hides the legend visually when a heading above has the same text. */
  legendHidden?: boolean
  options: readonly Choice[]
  /** The selected value when controlled; omit it with `{...register('name')}`. */
  value?: string
  defaultValue?: string
  hint?: ReactNode
  error?: string | undefined
  /** The id of the first radio, for links from an error summary. */
  id?: string
  columns?: 1 | 2 | 3
}

const grids = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' }

export function RadioCards({
  legend,
  legendHidden,
  options,
  value,
  defaultValue,
  hint,
  error,
  id: givenId,
  columns = 1,
  className,
  ...rest
}: Props) {
  const ownId = useId()
  const id = givenId ?? ownId
  const described = clsx(error && `${id}-error`, hint && `${id}-hint`) || undefined
  return (
    <fieldset className={clsx('field', className)} aria-describedby={described}>
      <legend className={legendHidden ? 'sr-only' : 'field-label mb-1.5'}>{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <div className={clsx('grid gap-2.5', grids[columns])}>
        {options.map((option, index) => (
          <label key={option.value} className="choice">
            <input
              {...rest}
              id={index === 0 ? id : undefined}
              type="radio"
              className="radio"
              value={option.value}
              disabled={option.disabled || rest.disabled}
              aria-invalid={error ? true : undefined}
              {...(value !== undefined && { checked: value === option.value })}
              {...(defaultValue !== undefined && { defaultChecked: defaultValue === option.value })}
            />
            {option.icon}
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{option.title}</span>
              {option.description && <span className="block text-sm text-fg-2">{option.description}</span>}
            </span>
            {option.aside}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
