import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { ColumnMapper } from './column-mapper.tsx'
import { StatementDrop } from './statement-drop.tsx'
import { StatementHistory } from './statement-history.tsx'
import { StatementPreviewPanel } from './statement-preview-panel.tsx'
import { useStatement } from './use-statement.ts'

interface Props {
  returnTo: () => HTMLElement | null
}

const columnsId = 'statement-columns'
const payments = (count: number): string => (count === 1 ? '1 Payment' : `${count} Payments`)

/** Reads a statement, shows what is new in it, and records the new payments. Open on first render; give it a new key for each opening. */
export function UploadStatementDialog({ returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [leavesOut, setLeavesOut] = useState(false)
  const upload = useStatement((file, { counts }) => {
    setOpen(false)
    toast({
      title: `${payments(file.counts.new)} added`,
      description: counts.exact > 0 ? `${counts.exact} can be confirmed now.` : file.name,
    })
  })
  const { step, isReading, isBooking, refusal } = upload
  const preview = step.kind === 'preview' ? step.preview : undefined
  const added = preview && !preview.booked ? preview.counts.exact + preview.counts.check : 0
  const isBlocked = preview !== undefined && preview.counts.unreadable > 0 && !leavesOut
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isBooking && setOpen(next)}
      title="Upload a statement"
      description="Payments that are already here are skipped."
      size={preview ? 'wide' : 'form'}
      keepOnOutsidePress={step.kind !== 'choose'}
      returnTo={returnTo}
      footer={
        <>
          {refusal && step.kind !== 'choose' && <FormError message={refusal} />}
          {step.kind !== 'choose' && (
            <Button
              variant="ghost"
              onClick={() => {
                setLeavesOut(false)
                upload.restart()
              }}
            >
              Other File
            </Button>
          )}
          <Button variant="line" onClick={() => !isBooking && setOpen(false)}>
            {preview && added === 0 ? 'Close' : 'Cancel'}
          </Button>
          {step.kind === 'columns' && (
            <Button type="submit" form={columnsId} pending={isReading}>
              Preview
            </Button>
          )}
          {preview && added > 0 && (
            <Button
              pending={isBooking}
              aria-disabled={isBlocked}
              onClick={() => !isBlocked && void upload.book(preview, leavesOut)}
            >
              Add {payments(added)}
            </Button>
          )}
        </>
      }
    >
      {step.kind === 'choose' && (
        <div className="grid gap-6">
          <StatementDrop
            reading={isReading}
            sentPercent={upload.sentPercent}
            fileName={upload.fileName}
            refusal={refusal}
            onFile={upload.choose}
          />
          <StatementHistory />
        </div>
      )}
      {step.kind === 'columns' && (
        <ColumnMapper
          key={step.table.columns.join('\n')}
          formId={columnsId}
          fileName={upload.fileName}
          table={step.table}
          mapping={step.mapping}
          onSubmit={upload.preview}
        />
      )}
      {preview && (
        <StatementPreviewPanel
          preview={preview}
          fileName={upload.fileName}
          onChangeColumns={() => upload.changeColumns(preview)}
        >
          {preview && added > 0 && preview.counts.unreadable > 0 && (
            <Checkbox
              label={`Leave out ${preview.counts.unreadable === 1 ? '1 row' : `${preview.counts.unreadable} rows`} that cannot be read`}
              checked={leavesOut}
              onChange={({ target }) => setLeavesOut(target.checked)}
            />
          )}
        </StatementPreviewPanel>
      )}
    </Dialog>
  )
}
