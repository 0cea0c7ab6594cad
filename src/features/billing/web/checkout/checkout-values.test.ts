import { expect, test } from 'vitest'
import { defaults } from '#features/settings/rules.ts'
import { firstMethod } from './checkout-values.ts'

test('a method without a handle is not selected initially, unless no other is offered', () => {
  const payments = { ...defaults.payments, cashtag: '$SauceTVDemo', venmoHandle: '@saucetv-demo' }
  const all = { cashapp: true, venmo: true, creditcard: true }
  expect(firstMethod({ ...payments, offers: all })).toBe('cashapp')
  expect(firstMethod({ ...payments, offers: all, cashtag: '' })).toBe('venmo')
  expect(firstMethod({ ...payments, offers: all, cashtag: '', venmoHandle: '' })).toBe('creditcard')
  expect(firstMethod({ ...payments, offers: { ...all, creditcard: false }, cashtag: '', venmoHandle: '' })).toBe(
    'cashapp',
  )
  expect(firstMethod({ ...payments, offers: { cashapp: false, venmo: false, creditcard: false } })).toBeUndefined()
})
