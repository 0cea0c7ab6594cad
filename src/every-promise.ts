import { promises as accountPromises } from '#features/accounts/server/promises.ts'
import { promises as billingPromises } from '#features/billing/server/promises.ts'
import { promises as referralPromises } from '#features/referrals/server/promises.ts'
import { promises as subscriptionPromises } from '#features/subscriptions/server/promises.ts'
import { promises as trialPromises } from '#features/trials/server/promises.ts'
import type { Db } from '#server/db/connect.ts'
import { checkPromises, groundPromises, type Tally } from '#server/promises.ts'

const everyPromise = [referralPromises, billingPromises, subscriptionPromises, trialPromises, accountPromises, groundPromises].flat()

/** Asks the database for what every room promises; `since` is the tally of an earlier check. */
export const checkInvariants = (db: Db, since?: Tally) => checkPromises(db, everyPromise, since)
