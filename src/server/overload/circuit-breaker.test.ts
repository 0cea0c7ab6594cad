import { describe, expect, test } from 'vitest'
import { CircuitBreaker, CircuitOpenError } from './circuit-breaker.ts'

const hasFailed = (result: string) => result === 'bad'

function breaker() {
  let ms = 0
  let calls = 0
  const it = new CircuitBreaker({ failures: 3, restMs: 30_000, now: () => ms })
  const callWith = (result: string) => {
    return it.run(async () => {
      calls++
      return result
    }, hasFailed)
  }
  return { it, callWith, fail: () => callWith('bad'), wait: (by: number) => (ms += by), calls: () => calls }
}

describe('a circuit breaker', () => {
  test('rejects calls after the given number of consecutive failures, with the seconds left', async () => {
    const { callWith, fail, wait, calls } = breaker()
    for (let i = 0; i < 3; i++) expect(await fail()).toBe('bad')
    wait(9_500)
    await expect(callWith('good')).rejects.toMatchObject({ name: 'BreakerOpen', retryAfterSeconds: 21 })
    expect(calls()).toBe(3)
  })

  test('counts a thrown error as a failure and rethrows it', async () => {
    const { it, callWith } = breaker()
    const broken = () => it.run(() => Promise.reject(new Error('gone')), hasFailed)
    for (let i = 0; i < 3; i++) await expect(broken()).rejects.toThrow('gone')
    await expect(callWith('good')).rejects.toThrow(CircuitOpenError)
  })

  test('stays closed if a success interrupts the failures', async () => {
    const { callWith, fail, calls } = breaker()
    for (let i = 0; i < 10; i++) {
      await fail()
      await fail()
      await callWith('good')
    }
    expect(calls()).toBe(30)
  })

  test('lets one trial call through after `restMs`; its failure opens the breaker again', async () => {
    const { callWith, fail, wait, calls } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(29_999)
    await expect(callWith('good')).rejects.toThrow(CircuitOpenError)
    wait(1)
    expect(await fail()).toBe('bad')
    await expect(callWith('good')).rejects.toThrow(CircuitOpenError)
    wait(29_999)
    await expect(callWith('good')).rejects.toThrow(CircuitOpenError)
    expect(calls()).toBe(4)
  })

  test('closes when the trial call succeeds, and counts failures from zero', async () => {
    const { callWith, fail, wait } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(30_000)
    expect(await callWith('good')).toBe('good')
    await fail()
    await fail()
    expect(await callWith('good')).toBe('good')
  })

  test('rejects other calls while the trial call is running', async () => {
    const { it, callWith, fail, wait } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(30_000)
    const trial = Promise.withResolvers<string>()
    const trying = it.run(() => trial.promise, hasFailed)
    await expect(callWith('good')).rejects.toThrow(CircuitOpenError)
    trial.resolve('good')
    await trying
    expect(await callWith('good')).toBe('good')
  })

  test('ignores results of calls that started before it opened', async () => {
    const { it, callWith, fail, wait } = breaker()
    const late = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const waiting = late.map(({ promise }) => it.run(() => promise, hasFailed))
    for (let i = 0; i < 3; i++) await fail()
    late[0]!.resolve('good')
    await waiting[0]
    await expect(callWith('good')).rejects.toThrow(CircuitOpenError)
    wait(30_000)
    await callWith('good')
    late[1]!.resolve('bad')
    await waiting[1]
    await fail()
    await fail()
    expect(await callWith('good')).toBe('good')
  })
})
