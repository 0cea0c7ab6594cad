import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import { leaveFullScreen } from '../player-actions.ts'

const ShortcutsDialog = lazy(() =>
  import('../shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)

/** The dialog with the keyboard shortcuts of the player. Those with a single key can be turned off there, for this device. */
export function useShortcutsDialog(): { singleKeys: boolean; showShortcuts: () => void; shortcutsDialog: ReactNode } {
  const [stored, store] = useLocalStorage('watch-single-keys')
  const [hasOpened, setOpened] = useState(false)
  const [isShown, setShown] = useState(false)
  const singleKeys = stored !== 'off'
  return {
    singleKeys,
    showShortcuts: () => {
      leaveFullScreen()
      setOpened(true)
      setShown(true)
    },
    shortcutsDialog: (
      <Suspense>
        {hasOpened && (
          <ShortcutsDialog
            open={isShown}
            onOpenChange={setShown}
            singleKeys={singleKeys}
            onSingleKeys={(on) => store(on ? '' : 'off')}
          />
        )}
      </Suspense>
    ),
  }
}
