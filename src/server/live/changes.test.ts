import { describe, expect, test } from 'vitest'
import { topics } from '#kit/topics.ts'
import { staleEndpoints } from './changes.ts'

const staleFor = staleEndpoints([
  { id: 'own invoices', access: 'member', dependsOn: ['invoice'] },
  { id: 'all invoices', access: 'admin', dependsOn: ['invoice', 'refund'] },
  { id: 'site', access: 'public', dependsOn: ['setting'] },
  { id: 'settings', access: 'admin', dependsOn: ['setting'] },
  { id: 'plans', access: 'public' },
])
const customer = { id: 7, role: 'user' } as const
const admin = { id: 8, role: 'admin' } as const

describe('a change of a user’s data', () => {
  const change = { topics: ['invoice' as const], userId: customer.id }
  test('concerns no page of another customer', () => {
    expect(staleFor(change, { id: 9, role: 'user' })).toEqual([])
  })
  test('concerns that user’s own endpoints and the admin endpoints of administrators', () => {
    expect(staleFor(change, customer)).toEqual(['own invoices'])
    expect(staleFor(change, admin)).toEqual(['all invoices'])
    expect(staleFor({ ...change, userId: admin.id }, admin)).toEqual(['own invoices', 'all invoices'])
  })
  test('concerns only endpoints that depend on its topics', () => {
    expect(staleFor({ ...change, topics: ['refund'] }, customer)).toEqual([])
    expect(staleFor({ ...change, topics: ['refund', 'setting'] }, admin)).toEqual(['all invoices', 'settings'])
  })
})

test('a change of the operator’s data concerns all endpoints of administrators and no page of a customer', () => {
  expect(staleFor({ topics: ['setting'] }, admin)).toEqual(['site', 'settings'])
  expect(staleFor({ topics: ['setting'] }, customer)).toEqual([])
})

test('each topic is named once', () => {
  expect(new Set(topics).size).toBe(topics.length)
})
