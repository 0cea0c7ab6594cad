import { expect } from 'vitest'
import type { Db } from '#server/db/connect.ts'
import type { RowCounts } from '#server/invariants.ts'
import { checkInvariants } from '../../src/all-invariants.ts'

const tallies = new WeakMap<Db, RowCounts>()

/** Expects that all invariants hold, and that no append-only table has fewer rows than at the previous call for this database. */
export async function expectInvariants(db: Db): Promise<void> {
  const { results, tally } = await checkInvariants(db, tallies.get(db))
  tallies.set(db, tally)
  expect(results.filter(({ broken }) => broken.length > 0)).toEqual([])
}
