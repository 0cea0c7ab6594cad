import { type ComponentProps, type ReactNode, useId } from 'react'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/page-form.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'

interface Props {
  setting: {
    title: string
    form: ComponentProps<typeof PageForm>['form']
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

/** The card around the fields of a section of the settings. */
export function SettingForm({ setting: { title, form, submit, showCurrent }, hint, save, effect, children }: Props) {
  const titleId = useId()
  return (
    <Card title={title} titleId={titleId}>
      <PageForm
        form={form}
        mayEdit={useMay()('settings.edit')}
        showCurrent={showCurrent}
        lead={hint}
        viewOnly="Your role can view these settings but not change them."
        note={effect}
        save={save}
        isDivided
        className="max-w-160"
        aria-labelledby={titleId}
        onSubmit={submit as never}
      >
        {children}
      </PageForm>
    </Card>
  )
}
