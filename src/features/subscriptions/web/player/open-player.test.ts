import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { getSite } from '#features/settings/contract.ts'
import { defaults } from '#features/settings/rules.ts'
import { DataClient, query } from '#web/data.ts'
import { OpenPlayer } from './open-player.tsx'

function markup(site: { playerUrl: string; watching: boolean }, running: boolean): string {
  const client = new DataClient(() => Promise.reject(new Error('unexpected request')))
  client.setQueryData(query(getSite).queryKey, { ...defaults.site, ...site })
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  return renderToStaticMarkup(
    h(QueryClientProvider, { client }, h(RouterContextProvider, { router } as never, h(OpenPlayer, { running }))),
  )
}

test('the player can be opened with every plan, and is the primary action only while the subscription runs', () => {
  const elsewhere = { playerUrl: 'https://player.example/', watching: false }
  expect(markup({ playerUrl: '', watching: false }, true)).toBe('')
  expect(markup(elsewhere, true)).toMatch(/btn-primary.*Open Player/s)
  expect(markup(elsewhere, false)).toMatch(/btn-line.*Open Player/s)
})

test('the link opens the player of this site if channels can be watched here', () => {
  const here = markup({ playerUrl: 'https://player.example/', watching: true }, true)
  expect(here).toContain('href="/watch"')
  expect(here).not.toContain('player.example')
})
