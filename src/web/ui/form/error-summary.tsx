import { type MouseEvent, useEffect, useRef } from 'react'

interface Props {
  /** In the order of the form; `id` is that of the control, `message` word for word what stands beside it. */
  errors: readonly { id: string; message: string }[]
  /** Grows with every failed submit, so that the box takes the focus again: `formState.submitCount`. */
  submitCount: number
}

/**
 * First thing in a page-length form made with `shouldFocusError: false`: after a failed submit it takes the focus
 * when there are two errors or more, and hands it to the field when there is one.
 */
export function ErrorSummary({ errors, submitCount }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const shown = errors.length > 1 && submitCount > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once a submit, not with every mended field
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
