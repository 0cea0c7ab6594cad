import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import { leaveFullScreen } from '../player-actions.ts'

const ShortcutsDialog = lazy(() =>
  import('../shortcuts-dialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
)

/** Returns the dialog with the keyboard shortcuts of the player. There, the viewer can turn off single-key shortcuts for this device. */
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
