import { describe, expect, test } from 'vitest'
import {
  addDays,
  type Bucket,
  bucketStarts,
  combineBuckets,
  percentText,
  rangeBefore,
  rangeOf,
  tableBuckets,
  weekOf,
  wholeDollars,
} from './rules.ts'

const bucket = (day: string, receivedCents: number, subscribers: number): Bucket => ({
  ...{ day, receivedCents, refundedCents: 1, payments: 1, referralCents: 2, subscribers, mrrCents: subscribers * 100 },
})

describe('a period', () => {
  test.each([
    ['30d', '2027-03-01', { from: '2027-01-31', to: '2027-03-01' }, { from: '2027-01-01', to: '2027-01-30' }],
    ['90d', '2028-03-01', { from: '2027-12-03', to: '2028-03-01' }, { from: '2027-09-04', to: '2027-12-02' }],
    ['12m', '2028-02-29', { from: '2027-03-01', to: '2028-02-29' }, { from: '2026-03-01', to: '2027-02-28' }],
  ] as const)('of %s that ends on %s has a range, and so has the period before', (period, today, range, before) => {
    expect(rangeOf(period, today)).toEqual(range)
    expect(rangeBefore(period, range)).toEqual(before)
  })

  test('has a bucket for every day, or for every month if it is twelve months', () => {
    expect(bucketStarts('30d', rangeOf('30d', '2027-03-01'))).toHaveLength(30)
    expect(bucketStarts('90d', rangeOf('90d', '2027-03-01'))).toHaveLength(90)
    expect(bucketStarts('12m', rangeOf('12m', '2027-01-31')).slice(-2)).toEqual(['2026-12-01', '2027-01-01'])
  })
})

test('weeks begin on Monday', () => {
  expect(['2027-03-01', '2027-03-07', '2027-03-08'].map(weekOf)).toEqual(['2027-03-01', '2027-03-01', '2027-03-08'])
  expect(addDays('2027-03-01', -1)).toBe('2027-02-28')
})

test('combining buckets adds the amounts and keeps the last levels', () => {
  const days = [bucket('2027-03-06', 100, 5), bucket('2027-03-07', 200, 6), bucket('2027-03-08', 400, 4)]
  expect(combineBuckets(days, weekOf)).toEqual([
    { ...bucket('2027-03-06', 300, 6), refundedCents: 2, payments: 2, referralCents: 4 },
    bucket('2027-03-08', 400, 4),
  ])
  expect(tableBuckets('30d', days)).toBe(days)
})

test.each([
  [1, 3, '33%'],
  [1, 1000, '0.1%'],
  [0, 5, '0%'],
  [995, 10_000, '10%'],
  [1, 0, null],
] as const)('%i of %i is %s', (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text)
})

test('whole dollars are rounded, and shortened on an axis', () => {
  expect([123_456, -5_050, -20, 1_250_000].map((cents) => wholeDollars(cents))).toEqual([
    '$1,235',
    '−$51',
    '$0',
    '$12,500',
  ])
  expect([120_000, 1_250_000].map((cents) => wholeDollars(cents, { isAxis: true }))).toEqual(['$1,200', '$12.5k'])
})
