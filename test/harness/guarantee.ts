import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import type { SignedIn } from './app.ts'

/** Sets how many days the money-back guarantee lasts. Without one, referral bonuses are booked with the payment. */
export async function setGuarantee({ client }: SignedIn, days: number): Promise<void> {
  const { version, value } = await client.call(getSetting, { params: { section: 'claims' } })
  const claims = { ...(value.claims as object), moneyBackDays: days }
  await client.call(updateSetting, { params: { section: 'claims' }, body: { version, value: { claims } } })
}
