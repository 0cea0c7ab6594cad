import { expect } from 'vitest'
import { reconcile } from '#features/billing/server/service/reconcile.ts'
import type { Db } from '#server/db/connect.ts'

/** Asks the database for every promise that money depends on. */
export async function expectBooksToBalance(db: Db): Promise<void> {
  for (const { promise, broken } of await reconcile(db)) expect(broken, promise).toEqual([])
}
