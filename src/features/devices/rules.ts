/** The maximum length of a device name, which has to fit beside the picture of the device. */
export const nameLength = 24
/** The maximum number of paired TVs and TV apps of a customer. Browsers are not counted, because each login may add one. */
export const maxDevices = 12

type Offer = { months: number; connections: number; price: number }
/** A plan with more connections for the same number of months. `difference` is how much more it costs, in cents. */
export type LargerPlan = { months: number; connections: number; difference: number }
/**
 * Returns the plan with the next higher number of connections for the same number of months; undefined if there is none, or if that plan does not
 * cost more.
 */
export function largerPlan(plans: readonly Offer[], { months, connections, price }: Offer): LargerPlan | undefined {
  const [next] = plans
    .filter((plan) => plan.months === months && plan.connections > connections)
    .sort((a, b) => a.connections - b.connections || a.price - b.price)
  return next && next.price > price
    ? { months, connections: next.connections, difference: next.price - price }
    : undefined
}

/** The letters used in codes. Codes contain no vowels, so that they do not form words, and no digits, because some digits look like letters. */
export const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'
export const codeLength = 8
export const wrongCodeMessage =
  'That code is wrong or has expired. Codes last 10 minutes. Your TV shows a new one automatically.'
/** Normalizes a typed code for comparison: upper case, without spaces and dashes. */
export const normalizedCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
/** Returns a code such as `BDWPHQPK` as it is shown: `BDWP-HQPK`. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** `codeSeconds`: how long a code is valid. `pollSeconds`: how long a TV waits between two polls; each poll that comes too early adds `slowDownSeconds`. */
export const codeSeconds = 600
export const pollSeconds = 5
export const slowDownSeconds = 5

export const kindNames = { browser: 'Browser', tv: 'TV', app: 'TV app' } as const
export type DeviceKind = keyof typeof kindNames
