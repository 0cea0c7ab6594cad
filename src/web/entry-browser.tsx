import './styles/app.css'
import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { caller } from '#kit/caller.ts'
import { DataClient } from './data.ts'
import { makeRouter } from './router.tsx'

const client = new DataClient(caller((url, init) => fetch(url, init)))
const router = makeRouter(client, { origin: location.origin, openedAt: location.pathname })
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RouterClient router={router} />
    </StrictMode>,
  )
})
// After the page: nobody waits for the socket, and pages do without it.
import('./live.ts').then(
  ({ connectLive }) => connectLive(client, router),
  () => undefined,
)
