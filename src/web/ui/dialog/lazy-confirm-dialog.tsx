import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { ConfirmDialog } from './confirm-dialog.tsx'

const Loaded = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

/** A ConfirmDialog whose code is loaded when it is first opened: for pages whose other dialogs are loaded lazily too. */
export function LazyConfirmDialog(props: ComponentProps<typeof ConfirmDialog>) {
  const [wasOpened, setOpened] = useState(false)
  if (props.open && !wasOpened) setOpened(true)
  return <Suspense>{wasOpened && <Loaded {...props} />}</Suspense>
}
