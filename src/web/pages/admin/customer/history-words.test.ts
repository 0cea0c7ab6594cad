import { expect, test } from 'vitest'
import { changesIn } from './history-words.ts'

test('an entry is told field by field, with what was there before where that is known', () => {
  expect(changesIn({ before: { role: 'user', planId: null }, after: { role: 'admin', planId: 3 } })).toEqual([
    'role: user → admin',
    'plan id: - → 3',
  ])
  expect(changesIn({ before: null, after: { mustChangePassword: true, state: { a: 1 } } })).toEqual([
    'must change password: yes',
    'state: {"a":1}',
  ])
  expect(
    changesIn({
      before: { accountCredit: 0, endDate: null },
      after: { accountCredit: 1250, endDate: '2026-12-20T23:59:59.000Z' },
    }),
  ).toEqual(['account credit: $0.00 → $12.50', 'end date: - → 2026-12-20'])
  expect(changesIn({ before: null, after: null })).toEqual([])
})
