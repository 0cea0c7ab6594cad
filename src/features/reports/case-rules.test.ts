import { describe, expect, test } from 'vitest'
import { burstSince, closestKey, contentKey, spellingKey } from './case-rules.ts'

describe('the spelling key', () => {
  test.each([
    [
      'Harbor Sports 2',
      ['harbor sports 2', ' HARBOR-SPORTS 2 HD', 'Harbor Sports two', 'UK: Harbor Sports 2 ᴴᴰ', 'Hárbor Spörts2 4K'],
    ],
    ['BBC One', ['bbc 1', 'BBC1 HD', 'UK | BBC One', 'ＢＢＣ　ＯＮＥ']],
    ['Télé & Ciné', ['tele and cine', 'TELE & CINE FHD']],
    ['The Long Road (2024)', ['the long road 2024']],
  ])('is the same for all spellings of %s', (name, spellings) => {
    expect(spellings.map(spellingKey)).toEqual(spellings.map(() => spellingKey(name)))
  })

  test.each([
    ['Harbor Sports 1', 'Harbor Sports 2'],
    ['Harbor News', 'Harbor Sports'],
    ['Канал 1', 'Канал 2'],
    ['HD', '4K'],
    ['***', '---'],
  ])('differs between %s and %s', (a, b) => {
    expect(spellingKey(a)).not.toBe(spellingKey(b))
  })

  test('differs between a channel and a movie of the same name', () => {
    expect(contentKey('channel', 'Harbor')).not.toBe(contentKey('movie', 'Harbor'))
  })
})

describe('a misspelled key', () => {
  const known = ['harborsports1', 'harborsports2', 'citynews', 'cnn', 'skynews', 'skynewz']
  test.each([
    ['harborsport2', 'harborsports2'],
    ['harboursports1', 'harborsports1'],
    ['citynewss', 'citynews'],
    ['harborsports3', undefined],
    ['cmn', undefined],
    ['skynewx', undefined],
    ['somethingelse', undefined],
  ])('%s has the closest channel key %s', (key, expected) => {
    expect(closestKey(key, known)).toBe(expected)
  })
})

test('a burst is five reports within two hours', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 25) + minutes * 60_000).toISOString()
  expect(burstSince([0, 200, 210, 220, 230].map(at))).toBeNull()
  expect(burstSince([0, 200, 210, 220, 230, 320].map(at))).toBe(at(200))
})
