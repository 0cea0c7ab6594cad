import { describe, expect, test } from 'vitest'
import { isReservedName } from './rules.ts'

describe('a name that could be mistaken for the operator is reserved', () => {
  test.each(['admin', 'ADMIN', 'Ad.Min', '-admin-', 's.u.p.p.o.r.t', 'sauce_tv', 'Anonymous'])('%s', (name) => {
    expect(isReservedName(name)).toBe(true)
  })
  test.each(['administra', 'sadmin', 'olive', 'supporter', 'infos'])('but not %s', (name) => {
    expect(isReservedName(name)).toBe(false)
  })
})
