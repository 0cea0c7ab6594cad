import { createCipheriv, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeKeyFile } from './key-file.ts'
import { keyName, open, seal, secretKey } from './keys.ts'

const key = randomBytes(32)
const other = randomBytes(32)
const context = 'users:7:iptv_password'
/** Seals in the format used before keys had names. */
function sealedWithoutName(text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return `v1:${Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`
}

describe('a sealed secret', () => {
  test.each(['users:8:iptv_password', 'trial_requests:7:trial_password', ''])(
    'cannot be decrypted for another context: %j',
    (elsewhere) => {
      expect(() => open(key, seal(key, 'hunter2', context), elsewhere)).toThrow(/cannot be opened/)
    },
  )

  test('cannot be decrypted with another key, even if it contains the name of that key', () => {
    expect(() => open(other, seal(key, 'hunter2', context), context)).toThrow(/cannot be opened/)
    expect(() => open(other, seal(key, 'hunter2', context).replace(keyName(key), keyName(other)), context)).toThrow(
      /cannot be opened/,
    )
  })

  test('cannot be decrypted if any byte was changed', () => {
    const sealed = seal(key, 'hunter2', context)
    const start = sealed.lastIndexOf(':') + 1
    const bytes = Buffer.from(sealed.slice(start), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i]! ^= 1
      expect(() => open(key, sealed.slice(0, start) + changed.toString('base64url'), context)).toThrow(
        /cannot be opened/,
      )
    }
  })

  test.each([
    '',
    'v1:',
    'v1:AAAA',
    'hunter2',
    'v2:',
    'v2:0123',
    `v2:${keyName(key)}:`,
    `v3:${seal(key, 'x', context).slice(3)}`,
  ])('must have a valid format, unlike %j', (text) => {
    expect(() => open(key, text, context)).toThrow()
  })

  test('does not appear in an error message', () => {
    expect(() => open(key, 'hunter2', context)).toThrow(expect.not.stringContaining('hunter2') as never)
  })

  test.each(['hunter2', '', '\u{1F980} pässwörd', 'x'.repeat(10_000)])('decrypts to the original text: %j', (text) => {
    const sealed = seal(key, text, context)
    expect(sealed).toMatch(/^v2:[0-9a-f]{12}:[\w-]+$/)
    expect(open(key, sealed, context)).toBe(text)
  })

  test('is encrypted differently every time', () => {
    expect(seal(key, 'hunter2', context)).not.toBe(seal(key, 'hunter2', context))
  })

  test('is decrypted with any key of the ring, also in the format without key name; the current key encrypts', () => {
    const ring = { current: other, others: [randomBytes(32), key] }
    for (const sealed of [seal(key, 'hunter2', context), sealedWithoutName('hunter2')])
      expect(open(ring, sealed, context)).toBe('hunter2')
    expect(open(other, seal(ring, 'hunter3', context), context)).toBe('hunter3')
  })
})

describe('the key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauce-key-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fromFile = (dataDir: string) => secretKey({ secretKey: undefined, otherKeys: [], dataDir })
  const fromSettings = (current: string, ...otherKeys: string[]) =>
    secretKey({ secretKey: current, otherKeys, dataDir: folder })
  const weak = [
    'A'.repeat(43),
    Buffer.from('sample-key-sample-key-sample-key').toString('base64'),
    Buffer.from('short').toString('base64'),
  ]

  test.each(weak)('is rejected if it is weak: %s', (text) => {
    expect(() => fromSettings(text)).toThrow(/SECRET_KEY/)
    expect(() => fromSettings(key.toString('base64'), text)).toThrow(/SECRET_KEY_OTHER/)
  })

  test('comes from the setting, in base64 or base64url', () => {
    expect(fromSettings(key.toString('base64'))).toEqual({ current: key, others: [] })
    expect(fromSettings(key.toString('base64url'), other.toString('base64'))).toEqual({ current: key, others: [other] })
  })

  test('is created once, in a file readable only by its owner', () => {
    const dataDir = join(folder, 'new/data')
    const first = fromFile(dataDir)
    expect(fromFile(dataDir)).toEqual(first)
    expect(readdirSync(dataDir)).toEqual(['secret.key'])
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'base64')).toEqual(first.current)
  })

  test('may have other keys in its file; an invalid file is rejected', () => {
    const dataDir = mkdtempSync(join(folder, 'ring-'))
    const [a, b] = [key.toString('base64'), other.toString('base64')]
    writeKeyFile(dataDir, { current: a, others: [{ role: 'next', key: b }] })
    expect(fromFile(dataDir)).toEqual({ current: key, others: [other] })
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    writeFileSync(join(dataDir, 'secret.key'), `${a}\nnewest ${b}\n`)
    expect(() => fromFile(dataDir)).toThrow(/invalid line/)
  })
})
