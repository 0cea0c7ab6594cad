import type { RateClass } from '#kit/endpoint.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export type CallLimit = { per: 'network' | 'user'; calls: number; seconds: number }
/**
 * The limits of each rate class, before they are multiplied by RATE_LIMIT_FACTOR. Every call counts, including refused ones. Only for logins are failures
 * counted instead (`rate-limit.ts`).
 */
export const callLimits: Record<Exclude<RateClass, 'login'>, CallLimit[]> = {
  register: [{ per: 'network', calls: 20, seconds: hour }],
  // The answer says that an address is taken, so frequent changes could be used to find registered addresses.
  account: [
    { per: 'user', calls: 20, seconds: hour },
    { per: 'network', calls: 60, seconds: hour },
  ],
  recovery: [{ per: 'network', calls: 30, seconds: hour }],
  passkey: [{ per: 'network', calls: 120, seconds: hour }],
  inquiry: [{ per: 'network', calls: 5, seconds: hour }],
  createInvoice: [{ per: 'user', calls: 10, seconds: hour }],
  submitPayment: [{ per: 'user', calls: 10, seconds: hour }],
  iptv: [
    { per: 'user', calls: 10, seconds: hour },
    { per: 'network', calls: 30, seconds: hour },
  ],
  trial: [{ per: 'user', calls: 10, seconds: hour }],
  report: [{ per: 'user', calls: 20, seconds: day }],
  // Each check calls the panel.
  selfCheck: [
    { per: 'user', calls: 6, seconds: 10 * minute },
    { per: 'network', calls: 60, seconds: 10 * minute },
  ],
  ticket: [{ per: 'user', calls: 30, seconds: hour }],
  ticketPicture: [{ per: 'user', calls: 20, seconds: hour }],
  staffPicture: [{ per: 'user', calls: 120, seconds: hour }],
  play: [
    { per: 'user', calls: 90, seconds: minute },
    { per: 'network', calls: 600, seconds: minute },
  ],
  deviceCode: [{ per: 'network', calls: 5, seconds: hour }],
  // Each of 20 screens reports every 20 seconds that it is playing.
  playAlive: [{ per: 'user', calls: 120, seconds: minute }],
  seek: [{ per: 'user', calls: 6, seconds: 10 }],
  // Each of 20 screens sends its position every 15 seconds, and when the viewer pauses or leaves.
  watchProgress: [{ per: 'user', calls: 120, seconds: minute }],
  // Several TVs in one home, each of which polls every five seconds.
  devicePoll: [{ per: 'network', calls: 120, seconds: minute }],
  // TV apps fetch the next programs of every channel that they list.
  link: [{ per: 'user', calls: 300, seconds: minute }],
  linkGuide: [{ per: 'user', calls: 30, seconds: hour }],
  search: [{ per: 'user', calls: 60, seconds: minute }],
  changeSubscription: [{ per: 'user', calls: 5, seconds: day }],
  adminWrite: [{ per: 'user', calls: 120, seconds: minute }],
  export: [{ per: 'user', calls: 20, seconds: minute }],
  // Each call hashes a password, ends a user's sessions and removes their passkeys.
  adminReset: [{ per: 'user', calls: 30, seconds: hour }],
  write: [{ per: 'user', calls: 60, seconds: minute }],
  // A payment processor sends its events from few IP addresses and repeats those that are refused.
  webhook: [{ per: 'network', calls: 600, seconds: minute }],
  apiKey: [{ per: 'user', calls: 600, seconds: minute }],
  // Requests whose API key was refused. As many are allowed as failed logins.
  apiKeyFailure: [{ per: 'network', calls: 20, seconds: 15 * minute }],
}
