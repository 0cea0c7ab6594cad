import { useState } from 'react'
import { useKeyDown } from '#web/ui/use-key-down.ts'

/** Counts how often the shortcut list was opened, by `show` or by Ctrl+/ and Cmd+/. The keys do nothing while a dialog is open. */
export function useDeskKeys(): { openCount: number; show: () => void } {
  const [openCount, setOpenCount] = useState(0)
  useKeyDown((event) => {
    if (event.key !== '/' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    if (document.querySelector('.dialog')) return
    setOpenCount((before) => before + 1)
  })
  return { openCount, show: () => setOpenCount((before) => before + 1) }
}
