import { describe, expect, test } from 'vitest'
import { changeKind, featureChanges } from './change-rules.ts'

describe('a plan change', () => {
  test.each([
    ['more for more money', { price: 2_000, connections: 3 }, 'Upgrade'],
    ['a longer plan with as many screens', { price: 2_000, connections: 2 }, 'Upgrade'],
    ['dearer with fewer screens', { price: 2_000, connections: 1 }, 'Change'],
    ['cheaper with more screens', { price: 500, connections: 5 }, 'Change'],
    ['cheaper with fewer screens', { price: 500, connections: 1 }, 'Downgrade'],
  ] as const)('is classified as %s', (_, to, kind) =>
    expect(changeKind({ price: 1_000, connections: 2 }, to)).toBe(kind),
  )

  test('names more screens as a gain, not as a loss of the former number', () =>
    expect(featureChanges(['2 screens at once', 'HD'], ['4 screens at once', 'HD', '4K'])).toEqual({
      gained: ['4 screens at once instead of 2 screens at once', '4K'],
      lost: [],
    }))
  test('names fewer screens as a loss', () =>
    expect(featureChanges(['2 screens at once', '4K'], ['1 screen at a time'])).toEqual({
      gained: [],
      lost: ['2 screens at once (reduced to 1 screen at a time)', '4K'],
    }))
  test('compares other features by their text', () =>
    expect(featureChanges(['HD'], ['4K'])).toEqual({ gained: ['4K'], lost: ['HD'] }))
})
