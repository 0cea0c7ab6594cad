import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addressSealer, openAddress } from './sealed-address.ts'

const key = randomBytes(32)
const play = randomUUID()
const target = {
  kind: 'segment' as const,
  upstream: 'http://panel.example/hls/line/secret/1.ts',
  generation: 3,
  endsAt: 2_000_000_000_000,
}
const partsOf = (address: string) => address.split('/').slice(2) as [string, string]
const sealedOf = (address: string) => partsOf(address)[1]

test('a sealed address can be opened to get its target, and reveals nothing about it', () => {
  const address = addressSealer(key, play)(target)
  expect(address).toMatch(/^\/stream\/[\w-]{36}\/[\w-]+\.ts$/)
  expect(openAddress(key, play, sealedOf(address), 0)).toEqual(target)
  expect(Buffer.from(sealedOf(address), 'base64url').toString('latin1')).not.toMatch(/secret|panel/)
  expect(openAddress({ current: randomBytes(32), others: [key] }, play, sealedOf(address), 0)).toEqual(target)
})

test('the same target always gets the same address in one play, and a different address in another play', () => {
  const seal = addressSealer(key, play)
  expect(seal(target)).toBe(addressSealer(key, play)(target))
  expect(seal({ ...target, generation: 4 }).slice(44, 60)).not.toBe(seal(target).slice(44, 60))
  expect(sealedOf(addressSealer(key, randomUUID())(target))).not.toBe(sealedOf(seal(target)))
})

test('an address is refused for another play, with another key, and after it has expired', () => {
  const sealed = sealedOf(addressSealer(key, play)(target))
  expect(openAddress(key, randomUUID(), sealed, 0)).toBeUndefined()
  expect(openAddress(randomBytes(32), play, sealed, 0)).toBeUndefined()
  expect(openAddress(key, play, sealed, target.endsAt + 1)).toBeUndefined()
})

test('an address with any changed bit, extension or length is refused', () => {
  const sealed = sealedOf(addressSealer(key, play)(target))
  const [text, extension] = sealed.split('.') as [string, string]
  const bytes = Buffer.from(text, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(openAddress(key, play, `${changed.toString('base64url')}.${extension}`, 0)).toBeUndefined()
  }
  for (const other of [
    '',
    '.',
    text,
    `${text}.m3u8`,
    `${text}.key`,
    `${text.slice(0, -1)}.ts`,
    `${text}A.ts`,
    `${text}=.ts`,
    `${sealed}/`,
    '../x.ts',
  ])
    expect(openAddress(key, play, other, 0)).toBeUndefined()
})
