import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { caller } from '#kit/caller.ts'
import { backgroundMarker } from './activity.ts'
import { DataClient } from './data.ts'
import { TvPage } from './pages/tv/tv-page.tsx'
import { replayClicks } from './shell/early-clicks.ts'

// The script of /tv in builds: the page without the router and the other pages, in the syntax of browsers of television sets. It replaces what the server
// rendered.
const activity = backgroundMarker(window)
const client = new DataClient(caller((url, init) => fetch(url, activity(init))))

function Tv() {
  useEffect(replayClicks, [])
  return (
    <QueryClientProvider client={client}>
      <TvPage />
    </QueryClientProvider>
  )
}

function start(): void {
  const place = document.createElement('div')
  document.getElementById('main')!.replaceWith(place)
  createRoot(place).render(
    <StrictMode>
      <Tv />
    </StrictMode>,
  )
}
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else start()
