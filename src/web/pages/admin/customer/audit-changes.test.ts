import { expect, test } from 'vitest'
import { auditChanges } from './audit-changes.ts'

test('an entry is shown field by field, with the previous value where it is known', () => {
  expect(auditChanges({ before: { role: 'user', planId: null }, after: { role: 'admin', planId: 3 } })).toEqual([
    'role: user → admin',
    'plan id: - → 3',
  ])
  expect(auditChanges({ before: null, after: { mustChangePassword: true, state: { a: 1 } } })).toEqual([
    'must change password: yes',
    'state: {"a":1}',
  ])
  expect(
    auditChanges({
      before: { accountCredit: 0, endDate: null },
      after: { accountCredit: 1250, endDate: '2026-12-20T23:59:59.000Z' },
    }),
  ).toEqual(['account credit: $0.00 → $12.50', 'end date: - → 2026-12-20'])
  expect(auditChanges({ before: null, after: null })).toEqual([])
})
