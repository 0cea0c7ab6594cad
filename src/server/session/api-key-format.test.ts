import { expect, test } from 'vitest'
import { apiKeyIn, isWellFormedKey, newApiKey, prefixOf } from './api-key-format.ts'

test('a key that is truncated, has one changed character, or has a different case or prefix is not well-formed', () => {
  const key = newApiKey()
  expect(isWellFormedKey(key)).toBe(true)
  const other = key[20] === 'a' ? 'b' : 'a'
  for (const wrong of [
    '',
    'sauce_',
    key.slice(0, -1),
    `${key}0`,
    `${key.slice(0, 20)}${other}${key.slice(21)}`,
    key.toUpperCase(),
    key.replace('sauce_', 'sauce-'),
    `${key}\n`,
    `${key.slice(0, 30)}ä${key.slice(31)}`,
  ])
    expect(isWellFormedKey(wrong), wrong).toBe(false)
})

test('new keys have 40 random characters and a checksum, and only their prefix is the same', () => {
  const keys = Array.from({ length: 200 }, newApiKey)
  expect(new Set(keys.map((key) => key.slice(6, 16))).size).toBe(200)
  for (const key of keys) expect(key).toMatch(/^sauce_[0-9A-Za-z]{46}$/)
  expect(prefixOf('sauce_abcdefgh')).toBe('sauce_abcd')
})

test('a bearer token with the prefix counts as an API key even if it is malformed; other tokens and schemes do not', () => {
  expect(apiKeyIn('Bearer sauce_abc')).toBe('sauce_abc')
  expect(apiKeyIn('bearer  SAUCE_abc, Bearer x')).toBe('SAUCE_abc, Bearer x')
  for (const other of [null, '', 'Bearer', 'Bearer abc', 'Basic sauce_abc', 'sauce_abc', 'Bearersauce_abc'])
    expect(apiKeyIn(other), String(other)).toBeUndefined()
})
