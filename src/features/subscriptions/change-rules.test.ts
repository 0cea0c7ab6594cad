import { describe, expect, test } from 'vitest'
import { changeKind, featureChanges } from './change-rules.ts'

describe('a plan change', () => {
  test.each([
    ['to more screens for more money', 'Upgrade', { price: 2_000, connections: 3 }],
    ['to a more expensive plan with the same number of screens', 'Upgrade', { price: 2_000, connections: 2 }],
    ['to fewer screens for more money', 'Change', { price: 2_000, connections: 1 }],
    ['to more screens for less money', 'Change', { price: 500, connections: 5 }],
    ['to fewer screens for less money', 'Downgrade', { price: 500, connections: 1 }],
  ] as const)('%s is classified as %s', (_, kind, to) =>
    expect(changeKind({ price: 1_000, connections: 2 }, to)).toBe(kind),
  )

  test('lists more screens as gained, and does not list the previous number as lost', () =>
    expect(featureChanges(['2 screens at once', 'HD'], ['4 screens at once', 'HD', '4K'])).toEqual({
      gained: ['4 screens at once instead of 2 screens at once', '4K'],
      lost: [],
    }))
  test('lists fewer screens as lost', () =>
    expect(featureChanges(['2 screens at once', '4K'], ['1 screen at a time'])).toEqual({
      gained: [],
      lost: ['2 screens at once (reduced to 1 screen at a time)', '4K'],
    }))
  test('compares all other features by their text', () =>
    expect(featureChanges(['HD'], ['4K'])).toEqual({ gained: ['4K'], lost: ['HD'] }))
})
