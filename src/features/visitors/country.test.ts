import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#server/config.ts'
import { addressFile } from '../../../test/harness/address-file.ts'
import { countryOf, openCountryDatabase } from './server/country.ts'

let folder: string
let file: string
const loggedErrors: unknown[] = []
const log = { info: () => {}, error: (...args: unknown[]) => void loggedErrors.push(args) }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sauce-countries-'))
  file = join(folder, 'countries.mmdb')
  loggedErrors.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  openCountryDatabase(undefined, log)
  rmSync(folder, { recursive: true })
})

test('an address has its country’s name or code; unknown and invalid addresses have none', () => {
  writeFileSync(
    file,
    addressFile({ '198.51.100.0/24': { code: 'IS', name: 'Iceland' }, '203.0.113.128/25': { code: 'NZ' } }),
  )
  openCountryDatabase(file, log)
  expect(['198.51.100.7', '203.0.113.200', '203.0.113.7', '127.0.0.1'].map(countryOf)).toEqual([
    'Iceland',
    'NZ',
    null,
    null,
  ])
  expect(['::1', '2001:db8::1', '', 'nonsense', 'x'.repeat(64)].map(countryOf)).toEqual([null, null, null, null, null])
  expect(loggedErrors).toEqual([])
})

test.each([
  ['is missing', 1, undefined],
  ['is empty', 1, Buffer.alloc(0)],
  ['is not a database', 1, Buffer.from('a text that is not a GeoIP database')],
  ['is damaged inside', 0, addressFile({ '198.51.100.0/24': { code: 'IS' } }).subarray(20)],
])('a file that %s is ignored, with %d logged errors', (_how, errorCount, content) => {
  if (content) writeFileSync(file, content)
  openCountryDatabase(file, log)
  expect(loggedErrors).toHaveLength(errorCount)
  expect(countryOf('198.51.100.7')).toBeNull()
})

test('a replaced file is read again, and a broken one leaves the previous one in use', () => {
  vi.useFakeTimers()
  writeFileSync(file, addressFile({ '198.51.100.0/24': { code: 'IS', name: 'Iceland' } }))
  openCountryDatabase(file, log)
  const replace = (content: Buffer, second: number) => {
    writeFileSync(file, content)
    utimesSync(file, second, second)
    vi.advanceTimersByTime(11 * 60_000)
    return countryOf('198.51.100.7')
  }
  expect(replace(addressFile({ '198.51.100.0/24': { code: 'NO', name: 'Norway' } }), 1_000)).toBe('Norway')
  expect(replace(Buffer.from('half a file'), 2_000)).toBe('Norway')
  expect(loggedErrors).toHaveLength(1)
  expect(replace(addressFile({ '198.51.100.0/24': { code: 'FI', name: 'Finland' } }), 3_000)).toBe('Finland')
})

test('GEOIP_DATABASE must name an .mmdb file', () => {
  expect(readConfig({ GEOIP_DATABASE: '/var/lib/GeoIP/GeoLite2-Country.mmdb' }).geoipDatabase).toBe(
    '/var/lib/GeoIP/GeoLite2-Country.mmdb',
  )
  expect(() => readConfig({ GEOIP_DATABASE: '/var/lib/GeoIP/countries.csv' })).toThrow(
    'GEOIP_DATABASE must name an .mmdb file',
  )
})
