import { expect, test } from 'vitest'
import { acceptsEncoding } from './accept-encoding.ts'

test.each([
  [undefined, false, false],
  ['', false, false],
  ['gzip, deflate, br, zstd', true, true],
  ['br;q=0, gzip', false, true],
  ['br;q=0.000,gzip;q=0', false, false],
  ['BR; Q=0.5', true, false],
  ['gzip;q=1, *;q=0', false, true],
  ['*', true, true],
  ['br;q=0, *', false, true],
  ['identity', false, false],
  ['brotli, x-gzip', false, false],
])('%j accepts br: %j, gzip: %j', (header, br, gzip) => {
  expect([acceptsEncoding(header, 'br'), acceptsEncoding(header, 'gzip')]).toEqual([br, gzip])
})
