import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'

interface Menu {
  open: boolean
  toggle: () => void
  button: RefObject<HTMLButtonElement | null>
  panel: RefObject<HTMLDivElement | null>
}

/**
 * Returns the state of the mobile menu, which is initially closed. A click on one of its links, a navigation or Escape closes it; Escape also focuses its
 * button.
 */
export function useMenu(): Menu {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const href = useLocation({ select: (location) => location.href })

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu
  useEffect(() => setOpen(false), [href])

  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    // A link to the current page does not change the URL.
    const onClick = (event: MouseEvent) => {
      if (event.target instanceof Element && panel.current?.contains(event.target) && event.target.closest('a'))
        setOpen(false)
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('click', onClick)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('click', onClick)
    }
  }, [open])

  return { open, toggle: () => setOpen(!open), button, panel }
}
