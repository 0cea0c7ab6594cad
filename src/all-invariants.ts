import { promises as accountPromises } from '#features/accounts/server/invariants.ts'
import { invariants as billingPromises } from '#features/billing/server/invariants.ts'
import { invariants as referralPromises } from '#features/referrals/server/invariants.ts'
import { invariants as subscriptionPromises } from '#features/subscriptions/server/invariants.ts'
import { invariants as trialPromises } from '#features/trials/server/invariants.ts'
import type { Db } from '#server/db/connect.ts'
import { type RowCounts, runInvariants, serverInvariants } from '#server/invariants.ts'

const allInvariants = [
  referralPromises,
  billingPromises,
  subscriptionPromises,
  trialPromises,
  accountPromises,
  serverInvariants,
].flat()

/** Checks the invariants of all features. `since` are the row counts of an earlier check. */
export const checkInvariants = (db: Db, since?: RowCounts) => runInvariants(db, allInvariants, since)
