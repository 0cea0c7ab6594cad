import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loginResponses, now, otherResponses } from '../../../test/harness/panel-responses.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import { outcomes } from './rules.ts'
import { verdictOf } from './server/xtream/login-answer.ts'

describe('a panel’s answer', () => {
  test.each(otherResponses)('$means.outcome: $name', ({ means, ...answer }) => {
    expect(verdictOf(answer, { now })).toEqual({ ...means, why: `HTTP ${answer.status}` })
  })

  test.each(loginResponses)('$means.outcome: $name', ({ means, neverExpires, ...answer }) => {
    expect(verdictOf(answer, { now, neverExpires })).toEqual(means)
  })
})

describe('any panel response', () => {
  const field = fc.constantFrom(
    'user_info',
    'auth',
    'status',
    'exp_date',
    'max_connections',
    'message',
    '__proto__',
    'constructor',
  )
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(0, 1, '0', '1', null, 'Active', 'expired', '99999999999999999999', -1, 1e308, 2.5),
  )
  const line = fc.dictionary(field, value).map((fields) => ({ user_info: fields }))
  const body = fc.oneof(
    fc.string(),
    line.map((fields) => JSON.stringify(fields)),
    fc.dictionary(field, value).map((fields) => JSON.stringify(fields)),
  )

  test('gives a known verdict, and never "valid" without `auth` and a 2xx status', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, text) => {
        const verdict = verdictOf({ status, body: text }, { now })
        expect(Object.keys(outcomes)).toContain(verdict.outcome)
        if (verdict.outcome !== 'ok') return
        const { user_info: userInfo } = JSON.parse(text) as { user_info: { auth: unknown } }
        expect(['1', 'true']).toContain(String(userInfo.auth))
        expect(status).toBeLessThan(300)
        expect(
          verdict.maxConnections === null || (verdict.maxConnections >= 0 && verdict.maxConnections <= 1_000),
        ).toBe(true)
      }),
      { numRuns: roundCount('LOGIN_ANSWERS', { short: 2_000, full: 20_000 }) },
    )
  })

  test('never counts as a wrong password with a 5xx, redirect or 429 status', () => {
    const errorStatus = fc.oneof(
      fc.integer({ min: 300, max: 399 }),
      fc.constant(429),
      fc.integer({ min: 500, max: 599 }),
    )
    fc.assert(
      fc.property(errorStatus, body, (status, text) => {
        expect(outcomes[verdictOf({ status, body: text }, { now }).outcome].kind).toBe('unknown')
      }),
      { numRuns: roundCount('ERROR_ANSWERS', { short: 1_000, full: 5_000 }) },
    )
  })
})
