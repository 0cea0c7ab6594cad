import { lazy, Suspense, useEffect, useState } from 'react'
import { announce } from '../announce.ts'
import { onToast, type ToastMessage } from './toast.ts'

const load = () => import('./toaster.tsx')
const Toaster = lazy(() => load().then((module) => ({ default: module.Toaster })))

/** Rendered once in the document. The toaster is loaded on the first input in a form or on the first toast. */
export function ToastOutlet() {
  const [batch, setBatch] = useState<readonly ToastMessage[]>()

  useEffect(() => {
    const stop = onToast((messages) => {
      load().then(
        () => setBatch(messages),
        // Loading may fail offline: the text is still announced, and forms show their errors inline.
        () => announce(messages.map((message) => `${message.title} ${message.description ?? ''}`).join(' ')),
      )
    })
    const preload = () =>
      load().then(
        () => setBatch((known) => known ?? []),
        () => undefined,
      )
    document.addEventListener('input', preload, { once: true })
    return () => {
      stop()
      document.removeEventListener('input', preload)
    }
  }, [])

  return <Suspense>{batch && <Toaster batch={batch} />}</Suspense>
}
