import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { FormError } from './form-error.tsx'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'

interface Props extends Omit<ComponentProps<'form'>, 'form' | 'onReset'> {
  form: {
    problems: readonly { id: string; message: string }[]
    submitCount: number
    isDirty: boolean
    pending: boolean
    button: object
    failure: string | undefined
    failureCode: string | undefined
    reset: () => void
  }
  mayEdit: boolean
  /** Shows the stored values after someone else has changed them. */
  showCurrent?: (() => Promise<void>) | undefined
  /** The text above the fields. */
  lead?: ReactNode
  /** The text in place of the buttons for roles that may not edit. */
  viewOnly?: ReactNode
  /** The text below the buttons. */
  note?: ReactNode
  /** The label of the save button. */
  save?: string | undefined
  saveVariant?: ComponentProps<typeof Button>['variant']
  /** A line separates the fields from the buttons. */
  isDivided?: boolean
}

/** A form that is part of a page: errors, Save, Discard, and a warning before unsaved changes are lost. */
export function PageForm({
  form,
  mayEdit,
  showCurrent,
  lead,
  viewOnly,
  note,
  save = 'Save Changes',
  saveVariant,
  isDivided,
  className,
  children,
  ...rest
}: Props) {
  const hasChanges = form.isDirty && !form.pending
  const divider = isDivided && 'border-t pt-5'
  return (
    <form noValidate className={clsx('grid gap-5', className)} {...rest}>
      {lead && <p className="text-fg-2">{lead}</p>}
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <fieldset disabled={!mayEdit} className="contents">
        {children}
      </fieldset>
      {form.failure && form.problems.length === 0 && (
        <FormError message={form.failure} onReload={form.failureCode === 'stale' ? showCurrent : undefined} />
      )}
      {mayEdit ? (
        <div className={clsx('flex flex-wrap items-center gap-3', divider)}>
          <Button variant={saveVariant} {...form.button}>
            {save}
          </Button>
          {hasChanges && (
            <Button variant="ghost" onClick={() => form.reset()}>
              Discard changes
            </Button>
          )}
          <p role="status" className="text-sm text-fg-2">
            {form.isDirty && 'Not saved yet'}
          </p>
        </div>
      ) : (
        viewOnly && <p className={clsx('text-fg-2', divider)}>{viewOnly}</p>
      )}
      {note && <p className="text-sm text-fg-2">{note}</p>}
      <UnsavedChangesGuard when={hasChanges} />
    </form>
  )
}
