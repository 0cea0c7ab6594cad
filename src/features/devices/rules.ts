/** The maximum length of a device's name, which has to fit beside its picture. */
export const nameLength = 24
/** How many paired TVs and TV apps a customer may have. Browsers are not counted, because each login may add one. */
export const maxDevices = 12

type Offer = { months: number; connections: number; price: number }
/** A plan with more screens for the same time, and how much more it costs, in cents. */
export type LargerPlan = { months: number; connections: number; difference: number }
/** The plan on sale with the next higher number of connections for the same time; undefined if there is none that costs more. */
export function largerPlan(plans: readonly Offer[], { months, connections, price }: Offer): LargerPlan | undefined {
  const [next] = plans
    .filter((plan) => plan.months === months && plan.connections > connections)
    .sort((a, b) => a.connections - b.connections || a.price - b.price)
  return next && next.price > price
    ? { months, connections: next.connections, difference: next.price - price }
    : undefined
}

/** The letters of codes. There are no vowels, so that codes form no words, and none that looks like a digit. */
export const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'
export const codeLength = 8
export const wrongCodeMessage =
  'That code is wrong or has expired. Codes last 10 minutes. Your TV shows a new one automatically.'
/** A typed code for comparison: in upper case, without spaces and dashes. */
export const normalizedCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
/** `BDWPHQPK` as it is shown: `BDWP-HQPK`. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** How long a code is valid, and how long a TV waits between two polls. After a poll that came too early it waits `slowDownSeconds` longer. */
export const codeSeconds = 600
export const pollSeconds = 5
export const slowDownSeconds = 5

export const kindNames = { browser: 'Browser', tv: 'TV', app: 'TV app' } as const
export type DeviceKind = keyof typeof kindNames
