import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { announce } from '../announce.ts'
import { Button } from '../button/button.tsx'
import { FieldError } from './field-error.tsx'

interface Props {
  /** Prefix of the ids of the inputs: an error summary links to `id.2`. */
  id: string
  legend: string
  hint?: string
  /** The name of one item: "Feature". The labels of inputs and buttons combine it with the position. */
  noun: string
  values: readonly string[]
  onChange: (values: string[]) => void
  /** The validation message of one item. */
  errorAt?: (index: number) => string | undefined
  /** The validation message of the whole list. */
  error?: string | undefined
  /** The maximum number of items. */
  maxItems?: number
}

/** A list of short texts. Items can be edited, added, removed and moved with buttons, or with Alt and an arrow key. */
export function ListField({ id, legend, hint, noun, values, onChange, errorAt, error, maxItems = 24 }: Props) {
  // The id of the element that gets the focus after the next render.
  const next = useRef<string>(undefined)
  useEffect(() => {
    if (!next.current) return
    document.getElementById(next.current)?.focus()
    next.current = undefined
  })

  const add = () => {
    next.current = `${id}.${values.length}`
    onChange([...values, ''])
  }
  const remove = (index: number) => {
    next.current = values.length > 1 ? `${id}.${Math.max(0, index - 1)}` : `${id}-add`
    onChange(values.toSpliced(index, 1))
    announce(`${noun} ${index + 1} removed`)
  }
  const move = (index: number, to: number, focus: string) => {
    if (to < 0 || to >= values.length) return
    next.current = `${id}${focus}.${to}`
    onChange(values.toSpliced(index, 1).toSpliced(to, 0, values[index]!))
    announce(`Moved to position ${to + 1} of ${values.length}`)
  }
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1, '')
  }

  return (
    <fieldset className="field" aria-describedby={clsx(error && `${id}-error`, hint && `${id}-hint`) || undefined}>
      <legend className="field-label mb-1.5">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {values.length > 0 && (
        <ol className="list-field">
          {values.map((value, index) => {
            const message = errorAt?.(index)
            const name = `${noun} ${index + 1}`
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their position; their text changes with every key press
              <li key={index}>
                <div className="list-field-item">
                  <input
                    id={`${id}.${index}`}
                    className="input input-sm"
                    aria-label={name}
                    aria-invalid={message ? true : undefined}
                    aria-describedby={message ? `${id}.${index}-error` : undefined}
                    autoComplete="off"
                    value={value}
                    onChange={({ target }) => onChange(values.with(index, target.value))}
                    onKeyDown={onKeyDown(index)}
                  />
                  <Button
                    id={`${id}-up.${index}`}
                    variant="ghost"
                    size="sm"
                    icon
                    aria-label={`Move ${name} up`}
                    aria-disabled={index === 0}
                    onClick={() => move(index, index - 1, '-up')}
                  >
                    <ArrowUp size={18} />
                  </Button>
                  <Button
                    id={`${id}-down.${index}`}
                    variant="ghost"
                    size="sm"
                    icon
                    aria-label={`Move ${name} down`}
                    aria-disabled={index === values.length - 1}
                    onClick={() => move(index, index + 1, '-down')}
                  >
                    <ArrowDown size={18} />
                  </Button>
                  <Button variant="ghost" size="sm" icon aria-label={`Remove ${name}`} onClick={() => remove(index)}>
                    <X size={18} />
                  </Button>
                </div>
                {message && <FieldError id={`${id}.${index}-error`}>{message}</FieldError>}
              </li>
            )
          })}
        </ol>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {values.length < maxItems && (
        <div>
          <Button id={`${id}-add`} variant="line" size="sm" onClick={add}>
            <Plus size={18} /> Add {noun.toLowerCase()}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
