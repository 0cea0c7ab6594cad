import type { SettingValue } from '../contract.ts'

/** The names of the payment handles that are missing for the offered methods. */
export function missingHandles({
  offers,
  cashtag,
  venmoHandle,
}: Pick<SettingValue<'payments'>, 'offers' | 'cashtag' | 'venmoHandle'>): string[] {
  return [
    ...(offers.cashapp && cashtag === '' ? ['Cash App cashtag'] : []),
    ...(offers.venmo && venmoHandle === '' ? ['Venmo handle'] : []),
  ]
}
