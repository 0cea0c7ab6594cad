import { type RefObject, useEffect } from 'react'

/**
 * Calls `onChange` for what was typed or chosen in the inputs of `container` before hydration. React leaves such values in the inputs without calling
 * `onChange`, and overwrites them at the next change.
 */
export function useEarlyInput(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    for (const input of container.current?.querySelectorAll('input') ?? []) {
      if (input.type === 'radio') {
        if (!input.checked || input.defaultChecked) continue
        // React ignores a click that leads to the state that a script set last, so the state is reset first.
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

/** The browser's own setter of `value`. React replaces it on each input. */
const setValue =
  typeof HTMLInputElement === 'undefined'
    ? undefined
    : Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
