import type { Db, Tx } from './connect.ts'
import { inTransaction } from './retry.ts'

/** Carries a result out of a transaction that is rolled back. */
class RolledBack<T> extends Error {
  readonly result: T
  constructor(result: T) {
    super('The transaction was a preview')
    this.result = result
  }
}

/**
 * Runs `work` in a transaction that is always rolled back, and returns its result: the effect that an action would have. Leaves no row, audit entry, email or
 * notification behind. Throws what `work` throws.
 */
export async function previewTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, async (tx): Promise<T> => {
      throw new RolledBack(await work(tx))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}
