import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { addMonths } from './dates.ts'
import { deviceText } from './device-name.ts'
import { formatCents, formatSignedCents, percentOf, plainDollars, roundedRatio } from './money.ts'
import { appVersion } from './version.ts'

describe('money', () => {
  test('cents are formatted as dollars with two decimals', () => {
    expect([0, 5, 1499, 123456789, -250].map(formatCents)).toEqual([
      '$0.00',
      '$0.05',
      '$14.99',
      '$1,234,567.89',
      '-$2.50',
    ])
    expect([250, -250, 0].map(formatSignedCents)).toEqual(['+$2.50', '-$2.50', '$0.00'])
    expect([0, 5, 123456].map(plainDollars)).toEqual(['0.00', '0.05', '1234.56'])
  })

  test('a percentage is rounded half up to a whole cent', () => {
    expect(percentOf(1499, 15)).toBe(225)
    expect(percentOf(10, 15)).toBe(2)
    expect(percentOf(3, 50)).toBe(2)
    expect(roundedRatio(-3, 1, 2)).toBe(-1)
    expect(roundedRatio(-5, 1, 3)).toBe(-2)
  })

  test('a percentage is never more than half a cent from the exact value and never above the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 100 }), (cents, percent) => {
        const share = percentOf(cents, percent)
        expect(Math.abs(share * 100 - cents * percent)).toBeLessThanOrEqual(50)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(cents)
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('calendar months', () => {
  test('the day is clamped to the last of the month', () => {
    expect(addMonths('2026-01-31T10:00:00.000Z', 1)).toBe('2026-02-28T10:00:00.000Z')
    expect(addMonths('2028-01-31T10:00:00.000Z', 1)).toBe('2028-02-29T10:00:00.000Z')
    expect(addMonths('2028-02-29T23:59:59.999Z', 12)).toBe('2029-02-28T23:59:59.999Z')
    expect(addMonths('2026-11-30T00:00:00.000Z', 3)).toBe('2027-02-28T00:00:00.000Z')
  })

  test('exactly the given number of months is added, and the day of the month never increases', () => {
    const times = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2090-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 60 }), (from, months) => {
        const to = new Date(addMonths(from.toISOString(), months))
        expect((to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()).toBe(months)
        expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate())
        expect(to.getTime() % 86_400_000).toBe(from.getTime() % 86_400_000)
      }),
      { numRuns: 20_000 },
    )
  })
})

test('a device name consists of its known parts', () => {
  expect(deviceText({ browser: 'Chrome 141', system: 'Windows' })).toBe('Chrome 141 on Windows')
  expect(deviceText({ browser: 'curl 8', system: null })).toBe('curl 8')
  for (const browser of ['Tizen', null]) expect(deviceText({ browser, system: 'Tizen' })).toBe('Tizen')
  expect(deviceText({ browser: null, system: null })).toBe('Unknown')
})

test('the version is that of package.json', () => {
  expect(appVersion).toBe(packageFile.version)
})
