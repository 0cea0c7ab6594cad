import { QueryClientProvider } from '@tanstack/react-query'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { getSite } from '#features/settings/contract.ts'
import { defaults } from '#features/settings/rules.ts'
import { DataClient, query } from '#web/data.ts'
import { OpenPlayer } from './open-player.tsx'

function markup(playerUrl: string, running: boolean): string {
  const client = new DataClient(() => Promise.reject(new Error('unexpected request')))
  client.setQueryData(query(getSite).queryKey, { ...defaults.site, playerUrl })
  return renderToStaticMarkup(h(QueryClientProvider, { client }, h(OpenPlayer, { running })))
}

test('the player can be opened with every plan, and is the primary action only while the subscription runs', () => {
  expect(markup('', true)).toBe('')
  expect(markup('https://player.example/', true)).toMatch(/btn-primary.*Open Player/s)
  expect(markup('https://player.example/', false)).toMatch(/btn-line.*Open Player/s)
})
