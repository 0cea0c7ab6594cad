import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { buttonClass } from '#web/ui/button/button-class.ts'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

interface Props {
  reading: boolean
  fileName: string
  /** Why the last file was refused. */
  refusal: string | undefined
  onFile: (file: File) => Promise<void>
}

/** Takes a file by drop or by selection. */
export function StatementDrop({ reading, fileName, refusal, onFile }: Props) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file && !reading) void onFile(file)
  }
  const over = (next: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(next)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition; the input does the same by keyboard
    <div
      className={clsx('statement-drop', isOver && 'statement-drop-over')}
      onDragEnter={over(true)}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event)
        take(event.dataTransfer.files)
      }}
    >
      {reading ? (
        <p role="status" className="grid justify-items-center gap-3">
          <Spinner />
          <span>
            Reading <b>{fileName}</b> and comparing its lines with the payments and the open invoices…
          </span>
          <progress aria-label="Reading the statement" />
        </p>
      ) : (
        <>
          <FileUp size={28} aria-hidden="true" />
          <p>
            <b>Drop a file here</b> or
          </p>
          <div className="upload justify-items-center">
            <input
              id={id}
              className="upload-input"
              type="file"
              accept=".csv,.tsv,.txt,.ofx,.qfx,.xml,.sta,.mt940,.940,text/csv"
              aria-describedby={clsx(refusal && `${id}-error`, `${id}-hint`)}
              aria-invalid={refusal ? true : undefined}
              onChange={({ target }) => {
                take(target.files)
                // So that the same file can be selected again.
                target.value = ''
              }}
            />
            <label htmlFor={id} className={buttonClass({ variant: 'line', size: 'sm' })}>
              Choose File
            </label>
          </div>
          <p id={`${id}-hint`} className="text-sm text-fg-2">
            CSV from Cash App, Venmo, PayPal or your bank; QFX, OFX, CAMT.053, MT940. Up to 5 MB and 50,000 lines.
          </p>
          {refusal && (
            <div role="alert">
              <FieldError id={`${id}-error`}>{refusal}</FieldError>
            </div>
          )}
        </>
      )}
    </div>
  )
}
