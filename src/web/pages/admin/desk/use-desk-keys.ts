import { useEffect, useState } from 'react'

/** Counts the openings of the list of shortcuts, by `show` or Ctrl+/ and Cmd+/, unless a dialog is open. */
export function useDeskKeys(): { openCount: number; show: () => void } {
  const [openCount, setOpenCount] = useState(0)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (document.querySelector('.dialog')) return
      setOpenCount((before) => before + 1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return { openCount, show: () => setOpenCount((before) => before + 1) }
}
