import { type SyntheticEvent, useState } from 'react'
import { type ImageUse, type StoredImage, uploadImage } from '#features/images/admin-contract.ts'
import { imageFiles } from '#features/images/rules.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { FileUpload } from '#web/ui/form/file-upload.tsx'
import { Note } from '#web/ui/note.tsx'
import { backgrounds, pictureContrast } from '../rules.ts'

interface Props {
  id: string
  error: string | undefined
  use: ImageUse
  /** "Logo". */
  name: string
  hint: string
  /** The uploaded image; null for the built-in one. */
  path: string | null
  onUploaded: (image: StoredImage) => void
  onRemove: () => void
}
type Ratios = { path: string; light: number; dark: number }

/** An image of the brand on the backgrounds of both themes, with a warning when it is hard to see on one of them. */
export function BrandImage({ id, error, use, name, hint, path, onUploaded, onRemove }: Props) {
  const send = useSend(uploadImage)
  const [ratios, setRatios] = useState<Ratios>()
  const measure = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
    const pixels = pixelsOf(currentTarget)
    if (path && pixels)
      setRatios({
        path,
        light: pictureContrast(pixels, backgrounds.light),
        dark: pictureContrast(pixels, backgrounds.dark),
      })
  }
  const weak = ratios && ratios.path === path ? (['light', 'dark'] as const).filter((theme) => ratios[theme] < 3) : []
  return (
    <div id={id} className="brand-image">
      {path && (
        <div className="brand-image-tiles">
          <span data-theme="light" className="brand-image-tile">
            <img src={path} alt={`${name} on the light theme`} onLoad={measure} />
          </span>
          <span data-theme="dark" className="brand-image-tile">
            <img src={path} alt={`${name} on the dark theme`} />
          </span>
        </div>
      )}
      <div className="grid min-w-0 gap-2">
        <b className="font-semibold">{name}</b>
        <p className="field-hint">{hint}</p>
        <div className="flex flex-wrap items-start gap-2">
          <FileUpload
            {...imageFiles}
            label={`${path ? 'Replace' : 'Upload'} ${name.toLowerCase()}`}
            upload={async (body) => onUploaded(await send.mutateAsync({ query: { use }, body }))}
          />
          {path && (
            <Button variant="ghost" size="sm" onClick={onRemove}>
              Remove {name.toLowerCase()}
            </Button>
          )}
        </div>
        {error && <FieldError>{error}</FieldError>}
        {weak.map((theme) => (
          <Note key={theme} tone="warn" role="status">
            Hard to see on the {theme} theme: {ratios![theme].toFixed(1)} : 1, recommended 3 : 1.
          </Note>
        ))}
      </div>
    </div>
  )
}

const side = 48
/** Returns the pixels of an image, scaled down; undefined if the browser does not provide them. */
function pixelsOf(image: HTMLImageElement): Uint8ClampedArray | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0, side, side)
  return context?.getImageData(0, 0, side, side).data
}
