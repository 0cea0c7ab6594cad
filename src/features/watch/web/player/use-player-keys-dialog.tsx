import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'

const KeysDialog = lazy(() => import('../keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })))

/** The dialog with the keys of the player, where those of one letter can be turned off on this device. */
export function usePlayerKeysDialog(): { singleKeys: boolean; showKeys: () => void; keysDialog: ReactNode } {
  const [keysText, storeKeys] = useLocalStorage('watch-single-keys')
  const [hasOpened, setOpened] = useState(false)
  const [isShown, setShown] = useState(false)
  const singleKeys = keysText !== 'off'
  return {
    singleKeys,
    showKeys: () => {
      // A dialog is outside the player, and full screen shows the player only.
      if (document.fullscreenElement) void document.exitFullscreen()
      setOpened(true)
      setShown(true)
    },
    keysDialog: (
      <Suspense>
        {hasOpened && (
          <KeysDialog
            open={isShown}
            onOpenChange={setShown}
            singleKeys={singleKeys}
            onSingleKeys={(on) => storeKeys(on ? '' : 'off')}
          />
        )}
      </Suspense>
    ),
  }
}
