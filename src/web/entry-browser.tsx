import './styles/app.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { caller } from '#kit/caller.ts'
import { activityOf } from './activity.ts'
import { DataClient } from './data.ts'
import { makeRouter } from './router.tsx'

const activity = activityOf(window)
const client = new DataClient(caller((url, init) => fetch(url, activity(init))))
let isLive = false
const router = makeRouter(client, { origin: location.origin, openedAt: location.pathname, onAlive })
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RouterClient router={router} />
    </StrictMode>,
  )
})

/** Nobody waits for the socket; and an answer that changes under a page half way to life would break it, so the rest of the page comes first. */
function onAlive(): void {
  if (isLive) return
  isLive = true
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
