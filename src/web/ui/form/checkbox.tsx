import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './field-error.tsx'

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  /** The visible label. Without one, set an aria-label (table rows). */
  label?: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Indeterminate: some but not all rows are selected. */
  mixed?: boolean
}

export function Checkbox({ label, hint, error, mixed = false, id: givenId, className, ref, ...rest }: Props) {
  const ownId = useId()
  const id = givenId ?? ownId
  const setMixed = (element: HTMLInputElement | null) => {
    if (element) element.indeterminate = mixed
    if (typeof ref === 'function') ref(element)
    else if (ref) ref.current = element
  }
  const box = (
    <input
      {...rest}
      id={id}
      ref={setMixed}
      type="checkbox"
      className="checkbox"
      aria-invalid={error ? true : undefined}
      aria-describedby={clsx(error && `${id}-error`, hint && `${id}-hint`) || undefined}
    />
  )
  if (!label) return box
  return (
    <div className={clsx('check', className)}>
      {box}
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
