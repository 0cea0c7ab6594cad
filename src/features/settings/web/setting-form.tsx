import { type ReactNode, useId } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'

interface Props {
  setting: {
    title: string
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
    submit: (event: never) => unknown
    showCurrent: () => Promise<void>
  }
  /** What the settings affect. */
  hint: ReactNode
  /** The label of the save button. */
  save?: string
  /** What the save button does in addition to saving. */
  effect?: string
  children: ReactNode
}

/** The card around the fields of a section: errors, Save, Discard, and a warning before unsaved changes are lost. */
export function SettingForm({ setting: { title, form, submit, showCurrent }, hint, save, effect, children }: Props) {
  const titleId = useId()
  const mayEdit = useMay()('settings.edit')
  return (
    <Card title={title} titleId={titleId}>
      <form noValidate className="grid max-w-160 gap-5" aria-labelledby={titleId} onSubmit={submit as never}>
        <p className="text-fg-2">{hint}</p>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <fieldset disabled={!mayEdit} className="contents">
          {children}
        </fieldset>
        {form.failure && form.problems.length === 0 && (
          <FormError message={form.failure} onReload={form.failureCode === 'stale' ? showCurrent : undefined} />
        )}
        {!mayEdit && <p className="border-t pt-5 text-fg-2">Your role can view these settings but not change them.</p>}
        {mayEdit && (
          <div className="flex flex-wrap items-center gap-3 border-t pt-5">
            <Button {...form.button}>{save ?? 'Save Changes'}</Button>
            {form.isDirty && !form.pending && (
              <Button variant="ghost" onClick={() => form.reset()}>
                Discard changes
              </Button>
            )}
            <p role="status" className="text-sm text-fg-2">
              {form.isDirty && 'Not saved yet'}
            </p>
          </div>
        )}
        {effect && <p className="text-sm text-fg-2">{effect}</p>}
      </form>
      <UnsavedChangesGuard when={form.isDirty && !form.pending} />
    </Card>
  )
}
