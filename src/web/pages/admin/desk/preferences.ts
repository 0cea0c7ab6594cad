import { useEffect, useSyncExternalStore } from 'react'
import { useKeyDown } from '#web/ui/use-key-down.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'

// `shell/theme-script.ts` sets the same attributes before the first paint.
const sideKey = 'desk-side'
const rowsKey = 'desk-rows'
const narrow = '(max-width: 80rem)'

export type RowHeight = 'regular' | 'compact'
/** The height of table rows, stored in this browser. */
export function useRowHeight(): [height: RowHeight, setHeight: (height: RowHeight) => void] {
  const [stored, store] = useLocalStorage(rowsKey)
  return [
    stored === 'compact' ? 'compact' : 'regular',
    (height) => {
      store(height)
      document.documentElement.dataset.rows = height
    },
  ]
}

function subscribeToWidth(listener: () => void): () => void {
  const screen = matchMedia(narrow)
  screen.addEventListener('change', listener)
  return () => screen.removeEventListener('change', listener)
}

/** Whether the sidebar shows icons only: the administrator's choice, stored in this browser; by default on screens of at most 1280 pixels. */
export function useSidebar(): { isMini: boolean; toggle: () => void } {
  const [stored, store] = useLocalStorage(sideKey)
  const isNarrow = useSyncExternalStore(
    subscribeToWidth,
    () => matchMedia(narrow).matches,
    () => false,
  )
  const isMini = stored === 'mini' || (stored !== 'wide' && isNarrow)
  const side = isMini ? 'mini' : 'wide'
  useEffect(() => {
    document.documentElement.dataset.side = side
  }, [side])
  const toggle = () => store(isMini ? 'wide' : 'mini')

  useKeyDown((event) => {
    if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    toggle()
  })
  return { isMini, toggle }
}
