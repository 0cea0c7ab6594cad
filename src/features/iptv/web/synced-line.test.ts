import { QueryClientProvider } from '@tanstack/react-query'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { User } from '#features/accounts/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { defaults } from '#features/settings/rules.ts'
import { DataClient, query } from '#web/data.ts'
import { SyncedLine } from './synced-line.tsx'

const line = {
  iptvUsername: 'line-7',
  iptvSynced: true,
  iptvSyncedAt: new Date().toISOString(),
  iptvMaxConnections: 1,
} as User

function markup(playerUrl: string, user = line): string {
  const client = new DataClient(() => Promise.reject(new Error('no request is expected')))
  client.setQueryData(query(getSite).queryKey, { ...defaults.site, playerUrl })
  return renderToStaticMarkup(h(QueryClientProvider, { client }, h(SyncedLine, { user })))
}

describe('a synced line', () => {
  test('has no link to a player when none is configured', () => {
    expect(markup('')).not.toMatch(/Open Player|<a /)
  })

  test('opens the configured player in a new tab without opener or referrer', () => {
    expect(markup('https://player.example/app')).toMatch(
      /<a href="https:\/\/player\.example\/app" target="_blank" rel="noopener noreferrer"[^>]*>.*Open Player.*opens in a new tab/s,
    )
  })

  test('shows its username, its connections if known, and the time of the sync', () => {
    expect(markup('')).toMatch(/line-7.*1 connection<.*less than a minute ago/s)
    expect(markup('', { ...line, iptvMaxConnections: 0 })).toContain('unlimited connections')
    expect(markup('', { ...line, iptvMaxConnections: null, iptvSyncedAt: null })).not.toMatch(/connection|Last synced/)
  })
})
