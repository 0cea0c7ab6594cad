import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Device } from '../contract.ts'
import { DeviceRow } from './device-row.tsx'

const yesterday = new Date(Date.now() - 86_400_000).toISOString()
const laptop: Device = {
  id: '5f0a3b0e-1c1f-4d55-9c56-2f6f0b7a4b11',
  kind: 'browser',
  name: 'Chrome on Windows',
  agent: 'Chrome on Windows',
  country: 'US',
  isHere: false,
  linkName: null,
  addedAt: yesterday,
  lastWatchedAt: null,
  lastChannel: null,
  playing: null,
}
/** Returns the cell texts of a device row: name, app, country, last play, actions. */
function cells(device: Partial<Device>): string[] {
  const row = h(DeviceRow, { device: { ...laptop, ...device }, onRename: () => undefined, onRemove: () => undefined })
  const html = renderToStaticMarkup(h('table', null, h('tbody', null, row)))
  return html.split(/<\/t[hd]>/).map((cell) => cell.replaceAll(/<[^>]*>/g, '').trim())
}

const watched = { lastWatchedAt: yesterday, lastChannel: 'Harbor News' }
const playing = { playId: laptop.id, channelId: 7, channelName: 'Harbor News', since: yesterday }
test.each<[string, Partial<Device>, string]>([
  ['is playing', { ...watched, playing, isHere: true }, 'Playing now Harbor News'],
  ['is this browser', { ...watched, isHere: true }, 'Here now'],
  ['watched before', watched, 'Harbor News, 1 day ago'],
  ['was not used yet', {}, 'Added 1 day ago, not used yet'],
])('the last-used cell of a device that %s', (_, device, text) => {
  expect(cells(device)[3]).toBe(text)
})

test('a TV app is listed with its username, and this browser cannot be removed', () => {
  expect(cells({ kind: 'app', name: 'Kodi', agent: '', linkName: 'abcdefgh' }).slice(0, 3)).toEqual([
    'Kodi',
    'TV app · username abcdefgh',
    'United States',
  ])
  expect(cells({})[4]).toContain('Remove Chrome on Windows')
  expect(cells({ isHere: true })[4]).not.toContain('Remove')
})
