import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { ForgetScope } from './forget-dialog.tsx'
import type { useWatchHistory } from './use-watch-history.ts'

const ForgetDialog = lazy(() => import('./forget-dialog.tsx').then((module) => ({ default: module.ForgetDialog })))

type Changes = Pick<ReturnType<typeof useWatchHistory>, 'clear' | 'setKept' | 'isPending'>
export const firstLink = (): HTMLElement | null => document.querySelector('#main a')

/**
 * Returns the dialog that asks for confirmation before positions are deleted, and a function that opens it. When the dialog closes, the focus returns to the
 * pressed button, or to the first link of the page if the button has disappeared.
 */
export function useForgetDialog({ clear, setKept, isPending }: Changes): {
  ask: (what: ForgetScope, from: HTMLElement) => void
  dialog: ReactNode
} {
  const [forgetting, setForgetting] = useState<ForgetScope>()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLElement>(null)
  const onClose = () => setOpen(false)
  return {
    ask: (what, from) => {
      opener.current = from
      setForgetting(what)
      setOpen(true)
    },
    dialog: forgetting && (
      <Suspense>
        <ForgetDialog
          forgetting={forgetting}
          isOpen={isOpen}
          isPending={isPending}
          onClose={onClose}
          onConfirm={() => (forgetting === 'all' ? clear(onClose) : setKept(false, onClose))}
          returnTo={() => (opener.current?.isConnected ? opener.current : firstLink())}
        />
      </Suspense>
    ),
  }
}
