import { X } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { buttonClass } from '#web/ui/button/button-class.ts'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { UploadProgress } from '#web/ui/form/upload-progress.tsx'
import { useUpload } from '#web/ui/form/use-upload.ts'
import type { uploadStaffPicture } from '../../admin-contract.ts'
import type { uploadPicture } from '../../contract.ts'
import { pictureFiles, picturePath } from '../../picture-rules.ts'

interface Props {
  /** The id of the file input. */
  id: string
  error: string | undefined
  endpoint: typeof uploadPicture | typeof uploadStaffPicture
  /** Whether the pictures are loaded from the URLs for administrators. */
  isStaff: boolean
  /** The ids of the uploaded pictures. */
  pictures: readonly string[]
  onAdd: (id: string) => void
  onRemove: (id: string) => void
  /** Called with true when an upload starts and with false when it ends. The message must not be sent during an upload. */
  onBusy: (isBusy: boolean) => void
}

/** Uploads pictures and shows each of them with a button that removes it. */
export function AttachPictures({ id, error, endpoint, isStaff, pictures, onAdd, onRemove, onBusy }: Props) {
  const { mutateAsync, isPending, sentPercent } = useUpload(endpoint as typeof uploadPicture)
  const [fileName, setFileName] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const upload = async (files: readonly File[]) => {
    const fit = files.slice(0, pictureFiles.max - pictures.length)
    setRefusal(fit.length < files.length ? `At most ${pictureFiles.max} pictures fit in one message.` : undefined)
    onBusy(true)
    for (const file of fit) {
      setFileName(file.name)
      try {
        if (file.size > pictureFiles.megabytes * 1024 * 1024) throw new Error(pictureFiles.tooLarge)
        const picture = await mutateAsync({ body: new Uint8Array(await file.arrayBuffer()) })
        onAdd(picture.id)
        announce('The picture is attached.')
      } catch (problem) {
        setRefusal(`${file.name}: ${messageOf(problem)}`)
      }
    }
    onBusy(false)
  }
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // Cleared so that the same file can be selected again.
    target.value = ''
    if (files.length > 0 && !isPending) void upload(files)
  }
  const remove = (picture: string) => {
    setRefusal(undefined)
    onRemove(picture)
    document.getElementById(id)?.focus()
  }
  const isFull = pictures.length >= pictureFiles.max
  const problem = error ?? refusal
  return (
    <div className="grid gap-2.5">
      {pictures.length > 0 && (
        <ul className="picture-row" aria-label="Attached pictures">
          {pictures.map((picture, at) => (
            <li key={picture} className="picture-attached">
              <img src={picturePath(picture, true, isStaff)} alt={`Attached, ${at + 1} of ${pictures.length}`} />
              <Button variant="line" size="sm" icon onClick={() => remove(picture)}>
                <X size={16} aria-hidden="true" />
                <span className="sr-only">Remove picture {at + 1}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isPending && (
        <UploadProgress sentPercent={sentPercent} fileName={fileName} label="Checking the picture">
          Checking <b>{fileName}</b>…
        </UploadProgress>
      )}
      <div className="picture-input">
        <input
          id={id}
          type="file"
          multiple
          accept={pictureFiles.accept}
          disabled={isFull || isPending}
          aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ''}`}
          aria-invalid={problem ? true : undefined}
          onChange={choose}
        />
        <label htmlFor={id} className={buttonClass({ variant: 'line', size: 'sm' })}>
          Attach Pictures
        </label>
        <p id={`${id}-hint`} className="field-hint">
          Up to {pictureFiles.max}, as PNG, JPEG or WebP of at most {pictureFiles.megabytes} MB.
        </p>
      </div>
      {problem && (
        <div role="alert">
          <FieldError id={`${id}-error`}>{problem}</FieldError>
        </div>
      )}
    </div>
  )
}
