import { Search } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { isDialogOpen, useKeyDown } from '#web/ui/use-key-down.ts'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })))
const preload = () => void loadPalette()

/** Opens the command palette on a click and on Ctrl+K or Cmd+K, unless a dialog is open. */
export function CommandButton() {
  const [openCount, setOpenCount] = useState(0)
  const opener = useRef<HTMLElement | null>(null)
  const button = useRef<HTMLButtonElement>(null)

  useKeyDown((event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (isDialogOpen()) return
    opener.current =
      document.activeElement instanceof HTMLElement && document.activeElement !== document.body
        ? document.activeElement
        : button.current
    setOpenCount((before) => before + 1)
  })

  return (
    <>
      <button
        type="button"
        ref={button}
        className="desk-find"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={({ currentTarget }) => {
          opener.current = currentTarget
          setOpenCount(openCount + 1)
        }}
      >
        <Search size={18} />
        <span className="desk-label">Search or run a command</span>
        <kbd className="kbd">Ctrl K</kbd>
      </button>
      <Suspense>
        {openCount > 0 && (
          <CommandPalette
            key={openCount}
            returnTo={() => (opener.current?.isConnected ? opener.current : button.current)}
          />
        )}
      </Suspense>
    </>
  )
}
