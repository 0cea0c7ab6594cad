import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { FieldContext } from './field-context.ts'
import { FieldError } from './field-error.tsx'

interface Props {
  label: ReactNode
  /** The control's id, so that an error summary can link to it; made up when left out. */
  id?: string
  hint?: ReactNode
  /** The message of the failed rule: `errors.email?.message`. */
  error?: string | undefined
  optional?: boolean
  className?: string
  /** One control: Input, Textarea, NativeSelect or PasswordInput with `{...register('name')}`. */
  children: ReactNode
}

export function Field({ label, id: givenId, hint, error, optional, className, children }: Props) {
  const ownId = useId()
  const id = givenId ?? ownId
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  return (
    <div className={clsx('field', className)}>
      <label htmlFor={id} className="field-label">
        {label}
        {optional && <span className="field-optional"> (optional)</span>}
      </label>
      {hint && (
        <p id={hintId} className="field-hint">
          {hint}
        </p>
      )}
      <FieldContext value={{ id, describedBy: clsx(errorId, hintId) || undefined, invalid: Boolean(error) }}>
        {children}
      </FieldContext>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}
