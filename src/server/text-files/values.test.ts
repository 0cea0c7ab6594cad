import { expect, it } from 'vitest'
import { signedCents } from './values.ts'

it.each([
  ['$1,049.98', 104_998],
  ['-$2.90', -290],
  ['+ $120.00', 12_000],
  ['(12.00)', -1_200],
  ['1.234,56', 123_456],
  ['29,9', 2_990],
])('the amount %s is %i cents', (text, cents) => {
  expect(signedCents(text)).toBe(cents)
})

it.each(['(12.00', '12.00)', '', '()', '1.2.3', '12.345'])('%j is not an amount', (text) => {
  expect(signedCents(text)).toBe(null)
})
