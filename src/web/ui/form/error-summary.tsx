import { type MouseEvent, useEffect, useRef } from 'react'

interface Props {
  /** In the order of the form. `id` is the id of the control, `message` the same text as beside the control. */
  errors: readonly { id: string; message: string }[]
  /** `formState.submitCount`: the focus moves after each failed submit. */
  submitCount: number
}

/**
 * The first element of a form with `shouldFocusError: false`. After a failed submit it takes the focus when there are
 * two or more errors, and focuses the field when there is one.
 */
export function ErrorSummary({ errors, submitCount }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const shown = errors.length > 1 && submitCount > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once per submit, not with every corrected field
  useEffect(() => {
    if (shown) box.current?.focus()
    else if (submitCount > 0 && errors[0]) document.getElementById(errors[0].id)?.focus()
  }, [submitCount])

  useEffect(() => {
    if (!shown) return
    document.title = `Error: ${document.title}`
    return () => {
      document.title = document.title.replace(/^Error: /, '')
    }
  }, [shown])

  if (!shown) return null
  const jump = (id: string) => (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById(id)?.focus()
  }
  return (
    <div ref={box} tabIndex={-1} className="error-summary">
      <div role="alert">
        <h2 className="text-lg">There is a problem</h2>
        <ul className="mt-2 grid gap-1">
          {errors.map((error) => (
            <li key={error.id}>
              <a href={`#${error.id}`} onClick={jump(error.id)}>
                {error.message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
