import { History } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { BrandForm } from './use-brand-form.ts'

const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Lists the published versions and restores one of them. */
export function BrandVersions({ brand: { versions, restore, isRestoring } }: { brand: BrandForm }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<number>()
  const button = useRef<HTMLButtonElement>(null)
  const [, ...earlier] = versions
  const versionId = chosen ?? earlier[0]?.id
  const confirm = async () => {
    if (versionId !== undefined) await restore(versionId)
    setChosen(undefined)
    setOpen(false)
  }
  return (
    <>
      <Button ref={button} variant="line" size="sm" className="ml-auto" onClick={() => setOpen(true)}>
        <History size={18} />
        Versions
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Restore an earlier version?"
        description="The chosen version becomes public immediately. Your draft does not change."
        action="Restore version"
        destructive={false}
        pending={isRestoring}
        disabled={versionId === undefined}
        onConfirm={() => void confirm()}
        returnTo={button}
      >
        {versionId === undefined ? (
          <p>There are no earlier versions yet. A version is added each time you publish.</p>
        ) : (
          <Field label="Version">
            <NativeSelect value={versionId} onChange={({ target }) => setChosen(Number(target.value))}>
              {earlier.map(({ id, publishedAt, by, value }) => (
                <option key={id} value={id}>
                  {minute.format(new Date(publishedAt))} UTC, {value.name}
                  {by ? `, published by ${by}` : ', before the first publication'}
                </option>
              ))}
            </NativeSelect>
          </Field>
        )}
      </ConfirmDialog>
    </>
  )
}
