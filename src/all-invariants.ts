import { invariants as accountInvariants } from '#features/accounts/server/invariants.ts'
import { invariants as announcementInvariants } from '#features/announcements/server/invariants.ts'
import { invariants as billingInvariants } from '#features/billing/server/invariants.ts'
import { invariants as deviceInvariants } from '#features/devices/server/invariants.ts'
import { invariants as incidentInvariants } from '#features/incidents/server/invariants.ts'
import { invariants as insightInvariants } from '#features/insight/server/invariants.ts'
import { invariants as paymentInvariants } from '#features/payments/server/invariants.ts'
import { invariants as provisioningInvariants } from '#features/provisioning/server/invariants.ts'
import { invariants as referralInvariants } from '#features/referrals/server/invariants.ts'
import { invariants as subscriptionInvariants } from '#features/subscriptions/server/invariants.ts'
import { invariants as trialInvariants } from '#features/trials/server/invariants.ts'
import { invariants as watchInvariants } from '#features/watch/server/invariants.ts'
import { invariants as watchProgressInvariants } from '#features/watch-progress/server/invariants.ts'
import type { Db } from '#server/db/connect.ts'
import { type RowCounts, runInvariants, serverInvariants } from '#server/invariants.ts'

const allInvariants = [
  referralInvariants,
  billingInvariants,
  paymentInvariants,
  subscriptionInvariants,
  trialInvariants,
  accountInvariants,
  insightInvariants,
  incidentInvariants,
  announcementInvariants,
  deviceInvariants,
  watchInvariants,
  watchProgressInvariants,
  provisioningInvariants,
  serverInvariants,
].flat()

/** Checks the invariants of all features. `since`: the row counts of an earlier check. */
export const checkInvariants = (db: Db, since?: RowCounts) => runInvariants(db, allInvariants, since)
