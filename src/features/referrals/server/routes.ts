import * as settings from '#features/settings/server/service.ts'
import { implement, type Route } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import { adjustCredit } from '../admin-contract.ts'
import { getAccountCredit, getReferralInfo } from '../contract.ts'
import * as adjustments from './service/adjust-credit.ts'
import * as referrals from './service.ts'

export const routes: Route[] = [
  implement(getReferralInfo, async ({ db, user, config }) => {
    const [{ brand }, { percent }] = await Promise.all([settings.read(db, 'site'), settings.read(db, 'referrals')])
    return referrals.referralInfoOf(db, user.id, { brand: brand.name, percent, publicUrl: config.publicUrl })
  }),
  implement(getAccountCredit, ({ db, user }) => referrals.accountCreditOf(db, user.id)),
  implement(adjustCredit, ({ db, params, body, ...ctx }) =>
    adjustments.adjustCredit(db, params.userId, body, approverOf(ctx)),
  ),
]
