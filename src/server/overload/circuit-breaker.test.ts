import { describe, expect, test } from 'vitest'
import { CircuitBreaker, CircuitOpenError } from './circuit-breaker.ts'

const hasFailed = (result: string) => result === 'bad'

function breaker() {
  let ms = 0
  let asked = 0
  const it = new CircuitBreaker({ failures: 3, restMs: 30_000, now: () => ms })
  const answer = (result: string) => {
    return it.run(async () => {
      asked++
      return result
    }, hasFailed)
  }
  return { it, answer, fail: () => answer('bad'), wait: (by: number) => (ms += by), asked: () => asked }
}

describe('a breaker', () => {
  test('asks nothing any more after as many failures in a row, and says how long', async () => {
    const { answer, fail, wait, asked } = breaker()
    for (let i = 0; i < 3; i++) expect(await fail()).toBe('bad')
    wait(9_500)
    await expect(answer('good')).rejects.toMatchObject({ name: 'BreakerOpen', retryAfterSeconds: 21 })
    expect(asked()).toBe(3)
  })

  test('counts what is thrown as a failure, and throws it', async () => {
    const { it, answer } = breaker()
    const broken = () => it.run(() => Promise.reject(new Error('gone')), hasFailed)
    for (let i = 0; i < 3; i++) await expect(broken()).rejects.toThrow('gone')
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
  })

  test('is patient with failures between successes', async () => {
    const { answer, fail, asked } = breaker()
    for (let i = 0; i < 10; i++) {
      await fail()
      await fail()
      await answer('good')
    }
    expect(asked()).toBe(30)
  })

  test('lets one call try after the rest; its failure begins the next rest', async () => {
    const { answer, fail, wait, asked } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(29_999)
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    wait(1)
    expect(await fail()).toBe('bad')
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    wait(29_999)
    await expect(answer('good')).rejects.toThrow(CircuitOpenError)
    expect(asked()).toBe(4)
  })

  test('closes when that call succeeds, and is as patient as before', async () => {
    const { answer, fail, wait } = breaker()
    for (let i = 0; i < 3; i++) await fail()
    wait(30_000)
    expect(await answer('good')).toBe('good')
    await fail()
    await fail()
    expect(await answer('good')).toBe('good')
  })

  test('lets nobody else through while that call is under way, for as long as a rest', async () => {
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

  test('hears no more of calls that began before it opened', async () => {
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
