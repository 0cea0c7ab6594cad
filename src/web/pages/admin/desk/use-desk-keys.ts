import { useState } from 'react'
import { isDialogOpen, useKeyDown } from '#web/ui/use-key-down.ts'

/** Counts how often the list of shortcuts was opened, by `show`, Ctrl+/ or Cmd+/. The keys do nothing while a dialog is open. */
export function useDeskKeys(): { openCount: number; show: () => void } {
  const [openCount, setOpenCount] = useState(0)
  useKeyDown((event) => {
    if (event.key !== '/' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    if (isDialogOpen()) return
    setOpenCount((before) => before + 1)
  })
  return { openCount, show: () => setOpenCount((before) => before + 1) }
}
