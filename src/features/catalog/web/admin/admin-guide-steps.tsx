import { Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import type { GuideStep } from '../../admin-guides-contract.ts'
import { AdminGuideStep } from './admin-guide-step.tsx'

interface Props {
  id: string
  error?: string | undefined
  steps: GuideStep[]
  onChange: (steps: GuideStep[]) => void
  /** The message of a field: `0.title`. */
  errorAt: (place: string) => string | undefined
}

const maxSteps = 12
const newStep: GuideStep = { title: '', text: '', picture: 'done', below: 'nothing' }

/** The steps of a guide in their order. Steps can be edited, added, removed and moved. */
export function AdminGuideSteps({ id, error, steps, onChange, errorAt }: Props) {
  // The id of the element that gets the focus after the next render.
  const next = useRef<string>(undefined)
  useEffect(() => {
    if (!next.current) return
    document.getElementById(next.current)?.focus()
    next.current = undefined
  })
  const move = (index: number, to: number) => {
    if (to < 0 || to >= steps.length) return
    next.current = `${id}.${to}.${to < index ? 'up' : 'down'}`
    onChange(steps.toSpliced(index, 1).toSpliced(to, 0, steps[index]!))
    announce(`Moved to position ${to + 1} of ${steps.length}`)
  }
  const remove = (index: number) => {
    next.current = steps.length > 1 ? `${id}.${Math.max(0, index - 1)}.title` : `${id}-add`
    onChange(steps.toSpliced(index, 1))
    announce(`Step ${index + 1} removed`)
  }
  const add = () => {
    next.current = `${id}.${steps.length}.title`
    onChange([...steps, newStep])
  }
  return (
    <fieldset className="grid gap-3" aria-describedby={`${id}-hint`}>
      <legend className="field-label">Steps</legend>
      <p id={`${id}-hint`} className="field-hint">
        In titles and texts <code>{'{app}'}</code>, <code>{'{provider}'}</code> and <code>{'{code}'}</code> are replaced
        by their values.
      </p>
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their position
          <li key={index}>
            <AdminGuideStep
              id={`${id}.${index}`}
              step={step}
              index={index}
              count={steps.length}
              onChange={(changed) => onChange(steps.with(index, changed))}
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
              errorAt={(field) => errorAt(`${index}.${field}`)}
            />
          </li>
        ))}
      </ol>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {steps.length < maxSteps && (
        <div>
          <Button id={`${id}-add`} variant="line" size="sm" onClick={add}>
            <Plus size={18} /> Add step
          </Button>
        </div>
      )}
    </fieldset>
  )
}
