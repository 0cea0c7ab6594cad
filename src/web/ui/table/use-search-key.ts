import type { RefObject } from 'react'
import { isDialogOpen, useKeyDown } from '../use-key-down.ts'
import { useLocalStorage } from '../use-local-storage.ts'

export const searchKey = '/'
const off = 'off'

/** Whether single-key shortcuts are enabled in this browser. Users of speech input or with tremors may trigger them by accident, so they can be disabled. */
export function useSearchKeySwitch(): [isOn: boolean, setOn: (on: boolean) => void] {
  const [text, store] = useLocalStorage('search-key')
  return [text !== off, (on) => store(on ? '' : off)]
}

const typingFields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/** Focuses the search field when the shortcut is pressed, unless the user is typing in another field or a dialog is open. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>, isOn: boolean): void {
  useKeyDown((event) => {
    if (event.key !== searchKey || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest(typingFields)) return
    // Elements behind an open dialog are inert and cannot be focused.
    if (!field.current || field.current.closest('[inert], [aria-hidden="true"]') || isDialogOpen()) return
    event.preventDefault()
    field.current.focus()
    field.current.select()
  }, isOn)
}
