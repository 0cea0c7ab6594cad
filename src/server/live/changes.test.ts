import { describe, expect, test } from 'vitest'
import { allPermissions, builtInRoles, permissionsOf } from '#kit/permissions.ts'
import { topics } from '#kit/topics.ts'
import { staleEndpoints } from './changes.ts'

const staleFor = staleEndpoints([
  { id: 'own invoices', access: 'member', dependsOn: ['invoice'] },
  { id: 'all invoices', access: 'admin', needs: 'invoices.read', dependsOn: ['invoice', 'refund'] },
  { id: 'site', access: 'public', dependsOn: ['setting'] },
  { id: 'settings', access: 'admin', needs: 'settings.read', dependsOn: ['setting'] },
  { id: 'plans', access: 'public' },
])
const customer = { id: 7, permissions: [] }
const admin = { id: 8, permissions: allPermissions }
const support = {
  id: 9,
  permissions: permissionsOf('admin', { key: 'support', name: 'Support', permissions: [...builtInRoles.support!] }),
}

describe('a change of a user’s data', () => {
  const change = { topics: ['invoice' as const], userId: customer.id }
  test('concerns no page of another customer', () => {
    expect(staleFor(change, { id: 9, permissions: [] })).toEqual([])
  })
  test('concerns the member endpoints of that user and the admin endpoints of administrators', () => {
    expect(staleFor(change, customer)).toEqual(['own invoices'])
    expect(staleFor(change, admin)).toEqual(['all invoices'])
    expect(staleFor({ ...change, userId: admin.id }, admin)).toEqual(['own invoices', 'all invoices'])
  })
  test('concerns only endpoints that depend on its topics', () => {
    expect(staleFor({ ...change, topics: ['refund'] }, customer)).toEqual([])
    expect(staleFor({ ...change, topics: ['refund', 'setting'] }, admin)).toEqual(['all invoices', 'settings'])
  })
})

test('a staff member gets no event about an endpoint that the staff role does not permit', () => {
  expect(staleFor({ topics: ['invoice'], userId: customer.id }, support)).toEqual([])
  expect(staleFor({ topics: ['setting'] }, support)).toEqual(['site'])
})

test('a change of the operator’s data concerns all endpoints of administrators and no customer page', () => {
  expect(staleFor({ topics: ['setting'] }, admin)).toEqual(['site', 'settings'])
  expect(staleFor({ topics: ['setting'] }, customer)).toEqual([])
})

test('each topic is named once', () => {
  expect(new Set(topics).size).toBe(topics.length)
})
