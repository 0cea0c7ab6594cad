import { lazy, Suspense, useEffect, useState } from 'react'
import { announce } from './announce.ts'
import { onToast, type ToastMessage } from './toast.ts'

const load = () => import('./toaster.tsx')
const Toaster = lazy(() => load().then((module) => ({ default: module.Toaster })))

/** Stands once in the root layout. The toaster itself is fetched when a form is first touched or a toast first called. */
export function ToastOutlet() {
  const [batch, setBatch] = useState<readonly ToastMessage[]>()

  useEffect(() => {
    const stop = onToast((messages) => {
      load().then(
        () => setBatch(messages),
        // Offline, perhaps: the words still reach the ear, and forms keep theirs inline.
        () => announce(messages.map((message) => `${message.title} ${message.description ?? ''}`).join(' ')),
      )
    })
    const warm = () =>
      load().then(
        () => setBatch((known) => known ?? []),
        () => undefined,
      )
    document.addEventListener('input', warm, { once: true })
    return () => {
      stop()
      document.removeEventListener('input', warm)
    }
  }, [])

  return <Suspense>{batch && <Toaster batch={batch} />}</Suspense>
}
