import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { caller } from '#kit/caller.ts'
import { backgroundMarker } from './activity.ts'
import { DataClient } from './data.ts'
import { TvPage } from './pages/tv/tv-page.tsx'
import { replayClicks } from './shell/early-clicks.ts'

// The script of /tv in builds. It contains only this page, without the router, in the older syntax that TV browsers support. It replaces the HTML that the
// server rendered.
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
