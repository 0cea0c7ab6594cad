import { describe, expect, test } from 'vitest'
import { type GuideChannel, idKey, type LineupChannel, nameKey, newMatches, suggestionsFrom } from './match-rules.ts'

describe('names are compared without country, quality, accents and punctuation', () => {
  test.each([
    ['UK: Sky Cinéma HD', 'Sky Cinema'],
    ['[US] ESPN 2 FHD', 'ESPN 2'],
    ['|FR| TF1 4K', 'TF1'],
    ['TNT Sports 1 ᴴᴰ', 'TNT Sports 1'],
    ['BBC One UHD', 'bbc one'],
    ['Das Erste (1080p)', 'Das Erste'],
    ['A&E', 'A and E'],
    ['Canal+ HEVC', 'CANAL +'],
    ['CNN-International', 'CNN International'],
    ['ESPN\u00a0HD', 'espn'],
  ])('%s is %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other))
    expect(nameKey(one)).not.toBe('')
  })

  test.each([
    ['ESPN', 'ESPN 2'],
    ['Canal', 'Canal+'],
    ['CBS (East)', 'CBS (West)'],
    ['HDNet', 'Net'],
    ['Россия 1', 'Россия 24'],
  ])('%s is not %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })
})

test('an id is compared without case and spaces', () => {
  expect(idKey(' Harbor News.US ')).toBe(idKey('harbornews.us'))
})

const lineup = (more: Partial<LineupChannel> = {}): LineupChannel => ({
  channelId: 1,
  name: 'Harbor News',
  epgId: '',
  matched: null,
  guideChannelId: null,
  isHere: false,
  ...more,
})
const guide = (id: number, xmltvId: string, name = ''): GuideChannel => ({ id, xmltvId, name })

describe('a channel is matched to', () => {
  test.each<[string, LineupChannel, GuideChannel[], [number, string] | null]>([
    [
      'listings with its exact id rather than with a similar one',
      lineup({ epgId: 'Cnn.us' }),
      [guide(1, 'cnn.us'), guide(2, 'Cnn.us')],
      [2, 'id'],
    ],
    ['listings whose id differs in case and spaces', lineup({ epgId: 'CNN .US' }), [guide(1, 'cnn.us')], [1, 'id']],
    [
      'nothing when two ids differ only in case',
      lineup({ epgId: 'CNN.us' }),
      [guide(1, 'cnn.us'), guide(2, 'Cnn.us')],
      null,
    ],
    [
      'listings with its id rather than with an equal name',
      lineup({ epgId: 'b' }),
      [guide(1, 'a', 'Harbor News'), guide(2, 'b')],
      [2, 'id'],
    ],
    [
      'listings with an equal name if its id is unknown',
      lineup({ epgId: 'x' }),
      [guide(1, 'a', 'US: Harbor News HD')],
      [1, 'name'],
    ],
    [
      'nothing when two names are equal to its own',
      lineup(),
      [guide(1, 'a', 'Harbor News'), guide(2, 'b', 'Harbor News HD')],
      null,
    ],
    ['nothing when a name is only similar', lineup(), [guide(1, 'a', 'Harbor News 2')], null],
    ['nothing when its name is only a quality', lineup({ name: 'HD' }), [guide(1, 'a', '4K')], null],
    [
      'listings with its id after it was matched by name',
      lineup({ epgId: 'b', matched: 'name', guideChannelId: 1 }),
      [guide(2, 'b')],
      [2, 'id'],
    ],
    [
      'listings with its new id after the panel changed the id',
      lineup({ epgId: 'b', matched: 'id', guideChannelId: 1, isHere: true }),
      [guide(1, 'a'), guide(2, 'b')],
      [2, 'id'],
    ],
    [
      'nothing else once it is matched by id',
      lineup({ epgId: 'b', matched: 'id', guideChannelId: 2, isHere: true }),
      [guide(2, 'b')],
      null,
    ],
    [
      'nothing else once it is matched by id in another source',
      lineup({ epgId: 'b', matched: 'id', guideChannelId: 9 }),
      [guide(2, 'b')],
      null,
    ],
    [
      'nothing else once it is matched by name',
      lineup({ matched: 'name', guideChannelId: 9 }),
      [guide(2, 'b', 'Harbor News')],
      null,
    ],
    [
      'nothing else once it was matched by hand',
      lineup({ epgId: 'b', matched: 'hand', guideChannelId: 9 }),
      [guide(2, 'b')],
      null,
    ],
    ['nothing once an administrator chose no listings', lineup({ epgId: 'b', matched: 'hand' }), [guide(2, 'b')], null],
  ])('%s', (_, channel, channels, expected) => {
    expect(newMatches([channel], channels)).toEqual(
      expected ? [{ channelId: 1, guideChannelId: expected[0], matched: expected[1] }] : [],
    )
  })
})

test('suggestions share words, the most similar first', () => {
  const suggest = suggestionsFrom([
    { xmltvId: 'HarborNews2.us', name: 'Harbor News 2' },
    { xmltvId: 'a', name: 'Harbor News International' },
    { xmltvId: 'b', name: 'Bay News' },
    { xmltvId: 'c', name: 'Kids' },
    ...Array.from({ length: 50 }, (_, n) => ({ xmltvId: `n${n}`, name: `News ${n + 10}` })),
  ])
  const names = (name: string, most = 2) => suggest(name, most).map((channel) => channel.name)
  expect(names('US | Harbor News HD')).toEqual(['Harbor News 2', 'Harbor News International'])
  expect(names('Harbor', 1)).toHaveLength(1)
  expect(names('Something else')).toEqual([])
  expect(names('')).toEqual([])
})
