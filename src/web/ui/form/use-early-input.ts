import { type RefObject, useEffect } from 'react'

/**
 * Handles what was typed or chosen in the inputs of `container` before hydration. React leaves it in the inputs without calling `onChange`, and
 * overwrites it at the next change.
 */
export function useEarlyInput(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    for (const input of container.current?.querySelectorAll('input') ?? []) {
      if (input.type === 'radio') {
        if (!input.checked || input.defaultChecked) continue
        // React compares the state with the last one that was set by a script.
        input.checked = false
        input.click()
      } else if (input.value !== input.defaultValue) {
        const text = input.value
        input.value = input.defaultValue
        setValue?.call(input, text)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }
  }, [container])
}

/** The setter of the browser, which React replaces on each input by its own. */
const setValue =
  typeof HTMLInputElement === 'undefined'
    ? undefined
    : Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
