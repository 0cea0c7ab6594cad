import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { buttonClass } from '../button/button-class.ts'
import { FieldError } from './field-error.tsx'

interface Props {
  /** Shown instead of the field while a file is read; undefined otherwise. */
  reading: ReactNode | undefined
  /** The file types that the dialog offers. */
  accept: string
  hint: ReactNode
  /** Why the last file was refused. */
  refusal: string | undefined
  onFile: (file: File) => Promise<void>
}

/** A field for a file that the user drops on it or selects. */
export function FileDrop({ reading, accept, hint, refusal, onFile }: Props) {
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
      className={clsx('file-drop', isOver && 'file-drop-over')}
      onDragEnter={over(true)}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event)
        take(event.dataTransfer.files)
      }}
    >
      {reading ?? (
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
              accept={accept}
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
            {hint}
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
