import { describe, expect, test } from 'vitest'
import { cleanName, isSeparator } from './server/import/channel-names.ts'

describe('the name of a channel', () => {
  test.each([
    ['TNT Sports 1 ᴴᴰ', 'TNT Sports 1'],
    ['TNT Sports 1 ᵁᴴᴰ ⁶⁰ᶠᵖˢ', 'TNT Sports 1'],
    ['US: ABC News Live', 'ABC News Live'],
    ['UK | Sky News', 'Sky News'],
    ['|FR| TF1', 'TF1'],
    ['[US] Fox 5', 'Fox 5'],
    ['DE - Das Erste', 'Das Erste'],
    ['US ★ CNN', 'CNN'],
    ['UK┃BBC One ◉', 'BBC One'],
    ['VIP: UK: Sky Cinema ★', 'Sky Cinema'],
    ['US/CA: TSN 1', 'TSN 1'],
    ['🇬🇧 ITV 1', 'ITV 1'],
    ['- Kids Corner -', 'Kids Corner'],
  ])('%s is published as %s', (raw, name) => expect(cleanName(raw)).toBe(name))

  test.each([
    'BBC One HD',
    'CNN: Newsroom',
    'HBO - East',
    'M6',
    '24/7: Comedy',
    'Canal+',
    'E!',
    'Канал 1',
    'العربية',
    '1+1',
    'ARTE',
    'A&E',
    'TV5Monde',
    'Sky: Arts',
    'C-SPAN 2',
    'Élan',
    '日本テレビ',
  ])('%s is not changed', (name) => expect(cleanName(name)).toBe(name))
  test.each(['★', 'ᴴᴰ', 'US:'])('%s stays when nothing would be left', (name) => expect(cleanName(name)).toBe(name))
})

describe('a separator between channels', () => {
  test.each([
    '##### KIDS #####',
    '━━━ UK ━━━',
    '--- SPORTS ---',
    '=== 24/7 ===',
    '►►► NEWS ◄◄◄',
    '▬▬ US ▬▬',
    '*** ***',
    '#### Movies',
    '•••',
    '|| UK ||',
    '-',
  ])('%s is skipped', (name) => expect(isSeparator(name)).toBe(true))
  test.each(['', 'BBC One', 'US: ABC', '- Kids Corner -', '#1 Music', 'E!', '★ Cinema ★', '24/7', '|FR| TF1'])(
    '%j is not a separator',
    (name) => expect(isSeparator(name)).toBe(false),
  )
})
