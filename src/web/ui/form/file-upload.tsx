import { type ChangeEvent, useId, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { announce } from '../announce.ts'
import { buttonClass } from '../button/button-class.ts'
import { Spinner } from '../spinner.tsx'
import { FieldError } from './field-error.tsx'

interface Props {
  /** The action and its object: "Upload logo". */
  label: string
  /** The media types that the file dialog offers. */
  accept: string
  maxBytes: number
  /** The message for a file of more than `maxBytes`. */
  tooLarge: string
  /** Sends the content of the file. The message of an error that it throws is shown. */
  upload: (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>
}

/** A button that selects a file and uploads it. Shows why a file is refused. */
export function FileUpload({ label, accept, maxBytes, tooLarge, upload }: Props) {
  const id = useId()
  const [isPending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file || isPending) return
    setRefusal(file.size > maxBytes ? tooLarge : undefined)
    if (file.size <= maxBytes) {
      setPending(true)
      try {
        await upload(new Uint8Array(await file.arrayBuffer()))
        announce('The file is uploaded.')
      } catch (error) {
        setRefusal(messageOf(error))
      }
      setPending(false)
    }
    // So that the same file can be selected again.
    target.value = ''
  }
  return (
    <div className="upload">
      <input
        id={id}
        className="upload-input"
        type="file"
        accept={accept}
        aria-describedby={refusal && `${id}-error`}
        aria-invalid={refusal ? true : undefined}
        onChange={(event) => void choose(event)}
      />
      <label htmlFor={id} className={buttonClass({ variant: 'line', size: 'sm' })}>
        {isPending && <Spinner />}
        {label}
      </label>
      {refusal && (
        <div role="alert">
          <FieldError id={`${id}-error`}>{refusal}</FieldError>
        </div>
      )}
    </div>
  )
}
