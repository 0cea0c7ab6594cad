import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { open, seal, secretKey } from './secret.ts'

const key = randomBytes(32)
const place = 'users:7:iptv_password'

describe('a sealed secret', () => {
  test.each(['users:8:iptv_password', 'trial_requests:7:trial_password', ''])('cannot be opened at another place: %j', (elsewhere) => {
    expect(() => open(key, seal(key, 'hunter2', place), elsewhere)).toThrow(/cannot be opened/)
  })

  test('cannot be opened with another key', () => {
    expect(() => open(randomBytes(32), seal(key, 'hunter2', place), place)).toThrow(/cannot be opened/)
  })

  test('cannot be opened when any part of it was changed', () => {
    const sealed = seal(key, 'hunter2', place)
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1
      expect(() => open(key, `v1:${changed.toString('base64url')}`, place)).toThrow(/cannot be opened/)
    }
  })

  test.each(['', 'v1:', 'v1:AAAA', 'hunter2', `v2:${seal(key, 'x', place).slice(3)}`])('is not mistaken for anything else: %j', (text) => {
    expect(() => open(key, text, place)).toThrow()
  })

  test('never shows its text in what it throws', () => {
    expect(() => open(key, 'hunter2', place)).toThrow(expect.not.stringContaining('hunter2') as never)
  })

  test.each(['hunter2', '', '\u{1F980} pässwörd', 'x'.repeat(10_000)])('opens to what it was', (text) => {
    const sealed = seal(key, text, place)
    expect(sealed).toMatch(/^v1:[\w-]+$/)
    expect(open(key, sealed, place)).toBe(text)
  })

  test('is another one every time', () => {
    expect(seal(key, 'hunter2', place)).not.toBe(seal(key, 'hunter2', place))
  })
})

describe('the key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauce-key-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(['A'.repeat(43), Buffer.from('sample-key-sample-key-sample-key').toString('base64'), Buffer.from('short').toString('base64')])(
    'is refused when it is weak: %s',
    (weak) => {
      expect(() => secretKey({ secretKey: weak, dataDir: folder })).toThrow(/SECRET_KEY/)
    },
  )

  test('is the one of the setting, in either alphabet of base64', () => {
    expect(secretKey({ secretKey: key.toString('base64'), dataDir: folder })).toEqual(key)
    expect(secretKey({ secretKey: key.toString('base64url'), dataDir: folder })).toEqual(key)
  })

  test('is made once, kept for its owner alone, and the same ever after', () => {
    const dataDir = join(folder, 'new/data')
    const first = secretKey({ secretKey: undefined, dataDir })
    expect(secretKey({ secretKey: undefined, dataDir })).toEqual(first)
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'base64')).toEqual(first)
  })
})
