import { expect, test } from 'vitest'
import type { Channel } from './contract.ts'
import { findChannels } from './search-rules.ts'

const channels = ['Télé Montréal', 'Łódź 24', 'Harbor Drama', 'Drama at Home', "Cellar Door's Best"].map(
  (name, id): Channel => ({ id, name, category: 'news', logo: '', previewUrl: null, featured: false }),
)
const found = (search: string) => findChannels(channels, search).map(({ name }) => name)

test('a search ignores accents, case, punctuation and the order of words', () => {
  expect(found('montreal TELE')).toEqual(['Télé Montréal'])
  expect(found('MONTRÉAL')).toEqual(['Télé Montréal'])
  expect(found('doors')).toEqual([])
  expect(found('door s')).toEqual(["Cellar Door's Best"])
  expect(found('drama')).toEqual(['Harbor Drama', 'Drama at Home'])
  expect(found('drama har')).toEqual(['Harbor Drama'])
})

test('an empty search finds all channels, and a search without letters finds none', () => {
  expect(found('  ')).toHaveLength(channels.length)
  expect(found('!?')).toEqual([])
})
