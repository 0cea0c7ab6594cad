import './styles/app.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { caller } from '#kit/caller.ts'
import { backgroundMarker } from './activity.ts'
import { DataClient } from './data.ts'
import { makeRouter } from './router.tsx'

const activity = backgroundMarker(window)
const client = new DataClient(caller((url, init) => fetch(url, activity(init))))
let isConnecting = false
const router = makeRouter(client, { origin: location.origin, openedAt: location.pathname, onHydrated })
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RouterClient router={router} />
    </StrictMode>,
  )
})

/**
 * Opens the WebSocket once the browser is idle. A cache update during hydration would cause a mismatch, so this waits until hydration is done. A page in a
 * frame (the brand preview) opens no WebSocket: the surrounding page sends the data, and the preview must not count as a visitor.
 */
function onHydrated(): void {
  if (isConnecting || parent !== window) return
  isConnecting = true
  const whenIdle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 500))
  whenIdle(
    () =>
      void import('./live.ts').then(
        ({ connectLive }) => connectLive(client, router),
        () => undefined,
      ),
    { timeout: 5_000 },
  )
}
