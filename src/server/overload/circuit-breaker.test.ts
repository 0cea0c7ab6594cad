import { describe, expect, test } from 'vitest'
import { CircuitBreaker, CircuitOpenError } from './circuit-breaker.ts'

const hasFailed = (result: string) => result === 'bad'

function breaker() {
  let ms = 0
  let calls = 0
  const it = new CircuitBreaker({ failures: 3, restMs: 30_000, now: () => ms })
  const response = (result: string) => {
    return it.run(async () => {
      calls++
      return result
    }, hasFailed)
  }
  return { it, answer: response, fail: () => response('bad'), wait: (by: number) => (ms += by), calls: () => calls }
}

describe('a circuit breaker', () => {
  test('rejects calls after the given number of consecutive failures, with the seconds left', async () => {
    const { answer, fail, wait, calls } = breaker()
    for (let i = 0; i < 3; i++) expect(await fail()).toBe('bad')
    wait(9_500)
    await expect(answer('good')).rejects.toMatchObject({ name: 'BreakerOpen', retryAfterSeconds: 21 })
    expect(calls()).toBe(3)
  })

  test('counts a thrown error as a failure and rethrows it', async () => {
    const { it, answer } = breaker()
    const broken = () => it.run(() => Promise.reject(new Error('gone')), hasFailed)
    for (let i = 0; i < 3; i++) await expect(broken()).rejects.toThrow('gone')
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
  })

  test('stays closed when successes interrupt the failures', async () => {
    const { answer, fail, calls } = breaker()
    for (let i = 0; i < 10; i++) {
      await fail()
      await fail()
      await answer('good')
    }
    expect(calls()).toBe(30)
  })

  test('lets one trial call through afterwards; its failure opens the breaker again', async () => {
    const { answer, fail, wait, calls } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(29_999)
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    wait(1)
    expect(await fail()).toBe('bad')
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    wait(29_999)
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    expect(calls()).toBe(4)
  })

  test('closes when the trial call succeeds, and counts failures from zero', async () => {
    const { answer, fail, wait } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(30_000)
    expect(await answer('good')).toBe('good')
    await fail()
    await fail()
    expect(await answer('good')).toBe('good')
  })

  test('rejects other calls while the trial call is running', async () => {
    const { it, answer, fail, wait } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(30_000)
    const trial = Promise.withResolvers<string>()
    const trying = it.run(() => trial.promise, hasFailed)
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    trial.resolve('good')
    await trying
    expect(await answer('good')).toBe('good')
  })

  test('ignores results of calls that started before it opened', async () => {
    const { it, answer, fail, wait } = breaker()
    const late = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const waiting = late.map(({ promise }) => it.run(() => promise, hasFailed))
    for (let i = 0; i < 3; i++) await fail()
    late[0]!.resolve('good')
    await waiting[0]
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    wait(30_000)
    await answer('good')
    late[1]!.resolve('bad')
    await waiting[1]
    await fail()
    await fail()
    expect(await answer('good')).toBe('good')
  })
})
