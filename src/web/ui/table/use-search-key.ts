import { type RefObject, useEffect } from 'react'
import { useStoredValue } from '../form/use-stored-value.ts'

export const searchKey = '/'
const off = 'off'

/** Whether the key works in this browser: who dictates or shakes may press it by accident, so it can be switched off. */
export function useSearchKeySwitch(): [isOn: boolean, turn: (on: boolean) => void] {
  const [text, keep] = useStoredValue('search-key')
  return [text !== off, (on) => keep(on ? '' : off)]
}

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/** The key puts the cursor into the search field, unless somebody is typing elsewhere or a dialog is open. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== searchKey || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(typing)) return
      // A part that an open dialog makes unreachable takes no focus.
      if (
        !field.current ||
        field.current.closest('[inert], [aria-hidden="true"]') ||
        document.querySelector('[role="dialog"], [role="alertdialog"]')
      )
        return
      event.preventDefault()
      field.current.focus()
      field.current.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [field, isOn])
}
