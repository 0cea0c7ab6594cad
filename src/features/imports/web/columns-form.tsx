import type { FormEvent, ReactNode } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'

interface Props {
  fileName: string
  refusal: string | undefined
  pending: boolean
  /** A sentence that follows the request to choose the columns. */
  note: string
  onSubmit: () => void
  onCancel: () => void
  /** The inputs. */
  children: ReactNode
}

/** The form that assigns the columns of a file to fields, around the given inputs. */
export function ColumnsForm({ fileName, refusal, pending, note, onSubmit, onCancel, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form noValidate onSubmit={submit} className="grid max-w-160 gap-5" aria-label="Columns of the file">
      <p>
        Choose the column of <b className="break-words">{fileName}</b> for each field. Your choice is remembered for
        files with the same headings. {note}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
      {refusal && <FormError message={refusal} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={pending}>
          Check File
        </Button>
        <Button variant="line" onClick={onCancel}>
          Choose Another File
        </Button>
      </div>
    </form>
  )
}
