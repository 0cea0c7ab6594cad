import * as argon2 from '@node-rs/argon2'
import { describe, expect, test, vi } from 'vitest'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'
import { hashesAtOnce, Passwords } from './password.ts'

vi.mock('@node-rs/argon2', { spy: true })

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

describe('passwords', () => {
  test('hashing beyond the queue is refused with 503 and Retry-After', async () => {
    const passwords = new Passwords({ cost: cheap, atOnce: 1, queue: 2 })
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash('secret1')))
    const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as Refusal] : []))
    expect(refused.length).toBe(2)
    for (const refusal of refused)
      expect([refusal instanceof Refusal, refusal.status, refusal.headers['retry-after']]).toEqual([true, 503, '2'])
    await expect(passwords.hash('secret1')).resolves.toMatch(/^\$argon2id/)
  })

  test('never more than `atOnce` hashes run in parallel, even when some fail', async () => {
    const passwords = new Passwords({ cost: cheap, atOnce: 2, queue: 50 })
    const stored = await passwords.hash('secret1')
    let running = 0
    let most = 0
    const attempt = (fail: boolean) => ({
      count: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        if (fail) throw new Error('no')
      },
      forgive: async () => {},
    })
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => passwords.verify(stored, 'secret1', attempt(i % 3 === 0))),
    )
    expect(settled.filter((result) => result.status === 'rejected').length).toBe(7)
    expect(most).toBe(2)
    await expect(Promise.all([1, 2, 3, 4].map(() => passwords.verify(stored, 'secret1')))).resolves.toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  test('an attempt with the correct password is forgiven; attempts with a wrong password or an unknown user stay counted', async () => {
    const passwords = new Passwords({ cost: cheap })
    const stored = await passwords.hash('secret1')
    const events: string[] = []
    const attempt = {
      count: async () => void events.push('counted'),
      forgive: async () => void events.push('forgiven'),
    }
    await passwords.verify(stored, 'secret2', attempt)
    await passwords.verify(undefined, 'secret1', attempt)
    expect(events).toEqual(['counted', 'counted'])
    await passwords.verify(stored, 'secret1', attempt)
    expect(events).toEqual(['counted', 'counted', 'counted', 'forgiven'])
  })

  test('no password matches a missing hash', async () => {
    const passwords = new Passwords({ cost: cheap })
    expect(await passwords.verify(undefined, '')).toBe(false)
    expect(await passwords.verify(undefined, 'secret1')).toBe(false)
  })

  test('comparing with a missing hash costs the same work, so that the response time does not reveal which users exist', async () => {
    const passwords = new Passwords({ cost: { ...cheap, memoryCost: 24 } })
    const stored = await passwords.hash('secret1')
    const compared = vi.mocked(argon2.verify)
    compared.mockClear()
    await passwords.verify(stored, 'wrong-one')
    await passwords.verify(undefined, 'wrong-one')
    const work = compared.mock.calls.map(([hash, typed]) => [String(hash).split('$').slice(0, 4).join('$'), typed])
    expect(work).toEqual(Array.from({ length: 2 }, () => ['$argon2id$v=19$m=24,t=1,p=1', 'wrong-one']))
  })

  test('the default cost is argon2id with 19 MiB, two passes and one degree of parallelism', async () => {
    const passwords = new Passwords()
    const stored = await passwords.hash('secret1')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.hash('secret1')).not.toBe(stored)
    expect([await passwords.verify(stored, 'secret1'), await passwords.verify(stored, 'Secret1')]).toEqual([
      true,
      false,
    ])
    expect(limits.hashing).toEqual({ atOnce: 2, queue: 20 })
  })

  test.each([
    [1, 1, 1],
    [1, 2, 1],
    [1, 4, 2],
    [1, 64, 2],
    [2, 8, 1],
    [8, 64, 1],
  ])('%i processes on %i cores run %i hashes in parallel each', (processes, cores, atOnce) => {
    expect(hashesAtOnce(processes, cores)).toBe(atOnce)
  })

  test('a hash with different cost parameters is outdated', async () => {
    const old = await new Passwords({ cost: cheap }).hash('secret1')
    const today = new Passwords({ cost: { ...cheap, memoryCost: 16 } })
    expect([today.isOutdated(old), today.isOutdated(await today.hash('secret1'))]).toEqual([true, false])
  })
})
