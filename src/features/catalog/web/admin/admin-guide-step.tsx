import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { uploadImage } from '#features/images/admin-contract.ts'
import { imageFiles } from '#features/images/rules.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileUpload } from '#web/ui/form/file-upload.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import type { GuideStep } from '../../admin-guides-contract.ts'
import { belowStep, drawingOf, stepDrawings } from '../../setup-rules.ts'

interface Props {
  id: string
  step: GuideStep
  index: number
  count: number
  onChange: (step: GuideStep) => void
  onMove: (to: number) => void
  onRemove: () => void
  errorAt: (field: keyof GuideStep) => string | undefined
}

/** The fields of one step. */
export function AdminGuideStep({ id, step, index, count, onChange, onMove, onRemove, errorAt }: Props) {
  const upload = useSend(uploadImage)
  const name = `Step ${index + 1}`
  const field = (key: keyof GuideStep) => ({ id: `${id}.${key}`, error: errorAt(key) })
  const isImage = drawingOf(step.picture) === undefined
  return (
    <fieldset className="grid gap-4 rounded-md border p-4">
      <legend className="sr-only">{name}</legend>
      <div className="flex items-center justify-between gap-2">
        <b aria-hidden="true">{name}</b>
        <span className="flex gap-1">
          <Button
            id={`${id}.up`}
            variant="ghost"
            size="sm"
            icon
            aria-label={`Move ${name} up`}
            aria-disabled={index === 0}
            onClick={() => onMove(index - 1)}
          >
            <ArrowUp size={18} />
          </Button>
          <Button
            id={`${id}.down`}
            variant="ghost"
            size="sm"
            icon
            aria-label={`Move ${name} down`}
            aria-disabled={index === count - 1}
            onClick={() => onMove(index + 1)}
          >
            <ArrowDown size={18} />
          </Button>
          <Button variant="ghost" size="sm" icon aria-label={`Remove ${name}`} onClick={onRemove}>
            <X size={18} />
          </Button>
        </span>
      </div>
      <Field label="Title" {...field('title')}>
        <Input
          value={step.title}
          onChange={({ target }) => onChange({ ...step, title: target.value })}
          autoComplete="off"
          required
        />
      </Field>
      <Field label="Text" {...field('text')}>
        <Textarea
          rows={3}
          value={step.text}
          onChange={({ target }) => onChange({ ...step, text: target.value })}
          required
        />
      </Field>
      <div className="grid gap-2">
        <Field label="Picture" {...field('picture')}>
          <NativeSelect value={step.picture} onChange={({ target }) => onChange({ ...step, picture: target.value })}>
            {isImage && <option value={step.picture}>Uploaded image</option>}
            {Object.entries(stepDrawings).map(([drawing, label]) => (
              <option key={drawing} value={drawing}>
                Drawing: {label}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          {isImage && <img src={step.picture} alt={`Uploaded for ${name}`} className="h-16 rounded-md border" />}
          <FileUpload
            {...imageFiles}
            label={isImage ? `Replace image of ${name.toLowerCase()}` : `Upload image for ${name.toLowerCase()}`}
            upload={async (body) => {
              const { path } = await upload.mutateAsync({ query: { use: 'guide' }, body })
              onChange({ ...step, picture: path })
            }}
          />
        </div>
      </div>
      <Field label="Below the text" {...field('below')}>
        <NativeSelect
          value={step.below}
          onChange={({ target }) => onChange({ ...step, below: target.value as GuideStep['below'] })}
        >
          {Object.entries(belowStep).map(([below, label]) => (
            <option key={below} value={below}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
    </fieldset>
  )
}
