import type { SettingValue } from '../contract.ts'

/** What an administrator still has to set before customers can pay with a method that is offered. */
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
