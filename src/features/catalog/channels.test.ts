import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sampleChannels } from '#server/db/sample/channels.ts'
import type { Channel, ChannelCategory } from './contract.ts'
import {
  categoryName,
  channelCount,
  channelFilter,
  channelFilters,
  channelGroups,
  previewKind,
  teamCategories,
  withoutPlus,
} from './rules.ts'
import { lineupLists } from './web/channels/lineup-lists.ts'

const publicFolder = join(import.meta.dirname, '../../../public')

describe('the filter of the lineup', () => {
  test('shows all channels for an unknown filter', () => {
    for (const filter of [undefined, null, '', 'ALL', 'nba', 'toString', 7, ['kids'], {}])
      expect(channelFilter(filter)).toBe('all')
  })

  test('has the eleven tabs of the specification, All first', () => {
    expect(channelFilters.map(({ name }) => name)).toEqual([
      'All',
      'Entertainment',
      'Movies',
      'Sports',
      'NBA Teams',
      'NFL Teams',
      'NHL Teams',
      'Soccer',
      'News',
      'Kids',
      'International',
    ])
    for (const { id } of channelFilters) expect(channelFilter(id)).toBe(id)
  })
})

describe('channels by category', () => {
  const channel = (id: number, category: ChannelCategory): Channel => ({
    id,
    name: `Channel ${id}`,
    category,
    logo: '',
    previewUrl: null,
    featured: false,
  })

  test('omit categories without channels', () => {
    expect(channelGroups([])).toEqual([])
    expect(channelGroups([channel(1, 'news')]).map(({ id }) => id)).toEqual(['news'])
  })

  test('are in the order of the tabs, with channels in their given order', () => {
    const groups = channelGroups([channel(3, 'kids'), channel(1, 'movies'), channel(2, 'kids')])
    expect(groups.map(({ name, channels }) => [name, channels.map(({ id }) => id)])).toEqual([
      ['Movies', [1]],
      ['Kids', [3, 2]],
    ])
  })

  test('have a count with the right plural', () => {
    expect([channelCount(0), channelCount(1), channelCount(32)]).toEqual(['0 channels', '1 channel', '32 channels'])
  })

  test('include the four team categories', () => {
    expect(teamCategories.map(categoryName)).toEqual(['NBA Teams', 'NFL Teams', 'NHL Teams', 'Soccer'])
  })
})

test('a trailing plus is removed from a claim', () => {
  expect([withoutPlus('10,000+'), withoutPlus('10,000'), withoutPlus('24/7')]).toEqual(['10,000', '10,000', '24/7'])
})

describe('a preview', () => {
  test('has no kind without a URL', () => {
    expect([previewKind(null), previewKind('')]).toEqual([null, null])
  })

  test('has the kind of its file extension, whatever follows it', () => {
    expect([
      previewKind('/a/index.m3u8'),
      previewKind('/a/INDEX.M3U8?token=x.png'),
      previewKind('/a.m3u8#t=1'),
    ]).toEqual(['stream', 'stream', 'stream'])
    expect([previewKind('/still.webp'), previewKind('/still.jpeg?v=2')]).toEqual(['picture', 'picture'])
    expect([previewKind('/clip.mp4'), previewKind('/clip'), previewKind('/m3u8')]).toEqual(['video', 'video', 'video'])
  })
})

describe('the previews of the sample', () => {
  const addresses = [...new Set(sampleChannels.flatMap(({ previewUrl }) => previewUrl ?? []))]

  test('exist for about a third of the channels, with several streams', () => {
    const share = sampleChannels.filter(({ previewUrl }) => previewUrl).length / sampleChannels.length
    expect(share).toBeGreaterThan(0.28)
    expect(share).toBeLessThan(0.38)
    expect(addresses.length).toBeGreaterThanOrEqual(3)
  })

  test('are complete and small: every segment of a playlist exists', () => {
    for (const address of addresses) {
      const playlist = join(publicFolder, address)
      const text = readFileSync(playlist, 'utf8')
      const segments = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
      const start = /#EXT-X-MAP:URI="([^"]+)"/.exec(text)?.[1] ?? ''
      expect(segments.length).toBeGreaterThan(0)
      for (const file of [start, ...segments])
        expect(existsSync(join(dirname(playlist), file)), `${address} ${file}`).toBe(true)
      expect(text).toContain('#EXT-X-ENDLIST')
      const bytes = readdirSync(dirname(playlist)).reduce(
        (sum, file) => sum + statSync(join(dirname(playlist), file)).size,
        0,
      )
      expect(bytes, address).toBeLessThan(250_000)
    }
  })
})

describe('the lists of the lineup', () => {
  test('are five, each with the number of items in the specification', () => {
    expect(lineupLists.map(({ tab, initialCount, items }) => [tab, initialCount, items.length])).toEqual([
      ['Countries', 15, 53],
      ['Sports', 12, 21],
      ['Premium', undefined, 12],
      ['Streaming', 10, 15],
      ['24/7', undefined, 16],
    ])
  })

  test('have unique names and a note for each item', () => {
    for (const { tab, items } of lineupLists) {
      expect(new Set(items.map(({ name }) => name)).size, tab).toBe(items.length)
      for (const { name, note } of items) expect(note.length, name).toBeGreaterThan(3)
    }
  })
})
