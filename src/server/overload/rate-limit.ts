import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateClass } from '#kit/endpoint.ts'
import type { Config } from '../config.ts'
import { tooMany } from '../errors.ts'
import type { Attempt } from '../session/password.ts'
import { RateLimitStore } from './rate-limit-store.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

type Allowance = { per: 'network' | 'user'; calls: number; seconds: number }
/** Allowances per class, before RATE_LIMIT_FACTOR. Every call counts, also a refused one. `login` counts failures only (below). */
export const allowances: Record<Exclude<RateClass, 'login'>, Allowance[]> = {
  register: [{ per: 'network', calls: 20, seconds: hour }],
  // The response reveals that an address is taken, so the limit prevents probing for addresses.
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
  changeSubscription: [{ per: 'user', calls: 5, seconds: day }],
  adminWrite: [{ per: 'user', calls: 120, seconds: minute }],
  export: [{ per: 'user', calls: 20, seconds: minute }],
  // Each call computes a hash and logs a user out.
  adminReset: [{ per: 'user', calls: 30, seconds: hour }],
  write: [{ per: 'user', calls: 60, seconds: minute }],
}
/** Failed logins: per network and name, per network, and per name from anywhere (the last one delays logins, it never refuses them). */
export const loginFailures = {
  pair: { calls: 5, seconds: 15 * minute },
  network: { calls: 20, seconds: 15 * minute },
  name: { calls: 100, seconds: hour, delayMs: 3_000 },
}
/** Wrong two-step verification codes per user, over all their logins. */
export const secondStepFailures = { calls: 10, seconds: 15 * minute }
/**
 * Emails that a visitor can trigger, per mailbox: `pair` from one network (the call is refused), `address` from anywhere, and `networks`
 * from networks that ask for the first time (the email is not sent, the response is the same). `hour` and `day` limit the emails of
 * registrations and changes of address.
 */
export const mailsOnDemand = {
  pair: { calls: 5, seconds: hour },
  address: { calls: 10, seconds: hour },
  networks: { calls: 30, seconds: hour },
  hour: { calls: 5, seconds: hour },
  day: { calls: 10, seconds: day },
}
/** Responses to one network that reveal that a name or address is taken, at registration and when an address is changed. */
export const takenAnswers = { calls: 10, seconds: hour }
const rememberMs = 10_000

/**
 * Rate limits shared by all processes through PostgreSQL. A used-up limit is cached in memory, so a flood causes no queries. While the
 * database is unavailable, each process counts on its own.
 */
export class RateLimits {
  readonly #classes: Map<string, { per: Allowance['per']; limiter: RateLimiterPostgres }[]>
  readonly #login: Record<keyof typeof loginFailures, RateLimiterPostgres>
  readonly #secondStep: RateLimiterPostgres
  readonly #taken: RateLimiterPostgres
  readonly #mails: Record<keyof typeof mailsOnDemand, RateLimiterPostgres>
  readonly #spent = new Map<string, { forgetAt: number; openAt: number }>()

  constructor(pool: Pool, config: Pick<Config, 'rateLimitFactor'>) {
    const store = new RateLimitStore(pool)
    const limiter = (keyPrefix: string, { calls, seconds }: { calls: number; seconds: number }, block = true) =>
      limiterOn(store, keyPrefix, Math.max(1, Math.floor(calls * config.rateLimitFactor)), seconds, block)
    this.#classes = new Map(
      Object.entries(allowances).map(([name, list]) => [
        name,
        list.map((allowance) => ({ per: allowance.per, limiter: limiter(`${name}:${allowance.per}`, allowance) })),
      ]),
    )
    this.#login = {
      pair: limiter('login:pair', loginFailures.pair, false),
      network: limiter('login:network', loginFailures.network, false),
      name: limiter('login:name', loginFailures.name, false),
    }
    this.#secondStep = limiter('second-step', secondStepFailures, false)
    this.#taken = limiter('taken', takenAnswers, false)
    const mailLimiter = (name: keyof typeof mailsOnDemand, block = false) =>
      limiter(`mail:${name}`, mailsOnDemand[name], block)
    this.#mails = {
      pair: mailLimiter('pair', true),
      address: mailLimiter('address'),
      networks: mailLimiter('networks'),
      hour: mailLimiter('hour'),
      day: mailLimiter('day'),
    }
  }

  /** Counts one call against every allowance of the class. Throws 429 with Retry-After. Logins count in `login`, once the name is known. */
  async take(rateClass: RateClass, who: { ip: string; userId: number | undefined }): Promise<void> {
    for (const { per, limiter } of this.#classes.get(rateClass) ?? []) {
      const key = per === 'user' && who.userId !== undefined ? `user ${who.userId}` : networkOf(who.ip)
      await consume(limiter, hashed(key))
    }
  }

  /**
   * Starts a login attempt for a name as typed. Throws 429 when the allowed failures are used up, here or in `count`. `delayMs` is how long
   * to wait before comparing the password; it is above 0 when the name has many failures.
   */
  async login(typedName: string, ip: string): Promise<Attempt & { delayMs: number }> {
    const { pair: pairs, network: networks, name: names } = this.#login
    const name = typedName.toLowerCase()
    const network = networkOf(ip)
    const [pairKey, networkKey, nameKey] = [hashed(`${network} ${name}`), hashed(network), hashed(name)]
    this.#refuseRemembered(pairKey, networkKey)
    const [pair, whole, anywhere] = await Promise.all([
      pairs.get(pairKey),
      networks.get(networkKey),
      names.get(nameKey),
    ])
    this.#refuseSpent(pairs, pairKey, pair)
    this.#refuseSpent(networks, networkKey, whole)
    return {
      delayMs: anywhere && anywhere.consumedPoints >= names.points ? loginFailures.name.delayMs : 0,
      count: async () => {
        await Promise.all([consume(pairs, pairKey), consume(networks, networkKey), names.penalty(nameKey)])
      },
      forgive: async () => {
        await Promise.all([pairs.reward(pairKey), networks.reward(networkKey), names.reward(nameKey)])
      },
    }
  }

  /** Counts a two-step verification code before it is compared, per user from anywhere. Throws 429 after too many wrong codes. */
  secondStep(userId: number): Attempt {
    const key = hashed(`user ${userId}`)
    return {
      count: async () => void (await consume(this.#secondStep, key)),
      forgive: async () => void (await this.#secondStep.reward(key)),
    }
  }

  /** Starts a registration or a change of address, whose response may reveal a taken address. Throws 429 after too many such responses to this network. */
  async mayBeTaken(ip: string): Promise<{ wasTaken: () => Promise<void> }> {
    const key = hashed(networkOf(ip))
    const used = await this.#taken.get(key)
    if (used && used.consumedPoints >= this.#taken.points) tooMany(used.msBeforeNext / 1000)
    return { wasTaken: async () => void (await this.#taken.penalty(key)) }
  }

  /** Clears the failed logins of `names` from the network where their owner has just set a new password. */
  async forgetFailures(names: string[], ip: string): Promise<void> {
    await Promise.all(names.map((name) => this.#login.pair.delete(hashed(`${networkOf(ip)} ${name.toLowerCase()}`))))
    this.#spent.clear()
  }

  /**
   * Counts one email to an address that a visitor typed, known or not. Throws 429 when this network requested too many for it. Returns false
   * when all networks together did. A network that asks for the first time has a higher limit, so that other people's requests do not
   * block the owner.
   */
  async mayMail(typedAddress: string, ip: string): Promise<boolean> {
    const mailbox = mailboxOf(typedAddress)
    const { pair, address, networks } = this.#mails
    const asked = await consume(pair, hashed(`${networkOf(ip)} ${mailbox}`))
    const [all, first] = await Promise.all([
      address.penalty(hashed(mailbox)),
      asked.consumedPoints === 1 ? networks.penalty(hashed(mailbox)) : undefined,
    ])
    return all.consumedPoints <= address.points || (first !== undefined && first.consumedPoints <= networks.points)
  }

  /** Counts one email to an address that a user entered but has not confirmed. Returns false when its mailbox got too many this hour or day. */
  async mayWriteTo(address: string): Promise<boolean> {
    const key = hashed(mailboxOf(address))
    const { hour, day } = this.#mails
    // An email refused by the hourly limit does not count against the daily one.
    if ((await hour.penalty(key)).consumedPoints > hour.points) return false
    return (await day.penalty(key)).consumedPoints <= day.points
  }

  #refuseRemembered(...keys: string[]): void {
    for (const key of keys) {
      const known = this.#spent.get(key)
      if (known && known.forgetAt > performance.now()) tooMany((known.openAt - performance.now()) / 1000)
      this.#spent.delete(key)
    }
  }

  #refuseSpent(limiter: RateLimiterPostgres, key: string, used: RateLimiterRes | null): void {
    if (!used || used.consumedPoints < limiter.points) return
    if (this.#spent.size >= 10_000) this.#spent.clear()
    const now = performance.now()
    // Only briefly: the failure may still be taken back by a correct password that is being compared.
    this.#spent.set(key, { forgetAt: now + Math.min(rememberMs, used.msBeforeNext), openAt: now + used.msBeforeNext })
    tooMany(used.msBeforeNext / 1000)
  }
}

function limiterOn(
  storeClient: RateLimitStore,
  keyPrefix: string,
  points: number,
  duration: number,
  block: boolean,
): RateLimiterPostgres {
  const insuranceLimiter = new RateLimiterMemory({ keyPrefix, points, duration })
  return new RateLimiterPostgres({
    storeClient,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // One limiter deletes the expired rows of all.
    clearExpiredByTimeout: keyPrefix === 'register:network',
    keyPrefix,
    points,
    duration,
    insuranceLimiter,
    ...(block && { inMemoryBlockOnConsumed: points + 1 }),
  })
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return tooMany(refusal.msBeforeNext / 1000)
    throw refusal
  }
}

// Hashed, so that the table contains neither IP addresses nor typed names.
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** The mailbox of an email address, computed like `users.mailbox`: lower case, without dots and without the part after a plus. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return `${name.split('+')[0]!.replaceAll('.', '')}@${domain}`
}

/** The network of an IP address: an IPv4 address itself, or the first 64 bits of an IPv6 address. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const missing = 8 - first.length - last.length - (ip.includes('.') ? 1 : 0)
  const groups = tail === undefined ? first : [...first, ...Array<string>(missing).fill('0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
