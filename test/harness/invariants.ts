import { expect } from 'vitest'
import type { Db } from '#server/db/connect.ts'
import type { RowCounts } from '#server/invariants.ts'
import { checkInvariants } from '../../src/all-invariants.ts'

const tallies = new WeakMap<Db, RowCounts>()

/** Asks the database for everything that must hold whatever happened, and that nothing is less than at the last time of asking. */
export async function expectBooksToBalance(db: Db): Promise<void> {
  const { promises, tally } = await checkInvariants(db, tallies.get(db))
  tallies.set(db, tally)
  expect(promises.filter(({ broken }) => broken.length > 0)).toEqual([])
}
