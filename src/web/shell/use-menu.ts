import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'

interface Menu {
  open: boolean
  toggle: () => void
  button: RefObject<HTMLButtonElement | null>
  panel: RefObject<HTMLDivElement | null>
}

/** The mobile menu: closed at first; a link in it, a new address and Escape close it, Escape hands the focus back to the button. */
export function useMenu(): Menu {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const href = useLocation({ select: (location) => location.href })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu, however it came about
  useEffect(() => setOpen(false), [href])

  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    // A link to the page one is on changes no address.
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
