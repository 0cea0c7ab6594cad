import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Pool } from 'pg'
import type { RateClass } from '#kit/endpoint.ts'
import type { Config } from '../config.ts'
import { tooMany } from '../errors.ts'
import type { Attempt } from '../session/password.ts'
import { type CallLimit, callLimits } from './call-limits.ts'
import { RateLimitStore, type Usage } from './rate-limit-store.ts'
import { RateLimiter } from './rate-limiter.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Failed logins: from one network for one name, from one network, and for one name from anywhere (delayed, never refused). */
export const loginFailures = {
  pair: { calls: 5, seconds: 15 * minute },
  network: { calls: 20, seconds: 15 * minute },
  name: { calls: 100, seconds: hour, delayMs: 3_000 },
}
/** Wrong codes of the second factor, for one user across all their logins. */
export const secondStepFailures = { calls: 10, seconds: 15 * minute }
/** Wrong codes of TVs, by one user and from one network. */
export const pairingFailures = {
  user: { calls: 5, seconds: 10 * minute },
  network: { calls: 20, seconds: 10 * minute },
}
/** Wrong credentials of TV apps from one network. */
export const linkFailures = { calls: 20, seconds: hour }
/**
 * Emails that a visitor can trigger, by mailbox. `pair`: from one network; further requests are refused. `address`:
 * from anywhere; `networks`: from networks that request one for the first time. Beyond both of these, no email is sent,
 * and the response stays the same. `hour` and `day` limit the emails of registrations and changes of address.
 */
export const mailsOnDemand = {
  pair: { calls: 5, seconds: hour },
  address: { calls: 10, seconds: hour },
  networks: { calls: 30, seconds: hour },
  hour: { calls: 5, seconds: hour },
  day: { calls: 10, seconds: day },
}
/** Registrations and changes of address from one network that were refused because the name or address is taken: each reveals that it is registered. */
export const takenAddressAnswers = { calls: 10, seconds: hour }
const rememberMs = 10_000
const clearEveryMs = 300_000

/**
 * The rate limits, shared by all processes through PostgreSQL. A used-up limit is remembered in memory, so that a flood causes no queries. While the
 * database cannot be reached, each process counts in its own memory.
 */
export class RateLimits {
  readonly #classes: Map<string, { per: CallLimit['per']; limiter: RateLimiter }[]>
  readonly #login: Record<keyof typeof loginFailures, RateLimiter>
  readonly #secondStep: RateLimiter
  readonly #pairing: Record<keyof typeof pairingFailures, RateLimiter>
  readonly #links: RateLimiter
  readonly #taken: RateLimiter
  readonly #mails: Record<keyof typeof mailsOnDemand, RateLimiter>
  readonly #spent = new Map<string, { forgetAt: number; openAt: number }>()

  constructor(pool: Pool, config: Pick<Config, 'rateLimitFactor'>) {
    const store = new RateLimitStore(pool)
    setInterval(() => void store.clearExpired(), clearEveryMs).unref()
    const limiter = (name: string, { calls, seconds }: { calls: number; seconds: number }, rememberBlocked = true) => {
      const multiplied = Math.max(1, Math.floor(calls * config.rateLimitFactor))
      return new RateLimiter(store, name, { calls: multiplied, seconds }, rememberBlocked)
    }
    this.#classes = new Map(
      Object.entries(callLimits).map(([name, list]) => [
        name,
        list.map((each) => ({ per: each.per, limiter: limiter(`${name}:${each.per}`, each) })),
      ]),
    )
    this.#login = {
      pair: limiter('login:pair', loginFailures.pair, false),
      network: limiter('login:network', loginFailures.network, false),
      name: limiter('login:name', loginFailures.name, false),
    }
    this.#secondStep = limiter('second-step', secondStepFailures, false)
    this.#pairing = {
      user: limiter('pairing:user', pairingFailures.user, false),
      network: limiter('pairing:network', pairingFailures.network, false),
    }
    this.#links = limiter('links', linkFailures, false)
    this.#taken = limiter('taken', takenAddressAnswers, false)
    const mailLimiter = (name: keyof typeof mailsOnDemand, rememberBlocked = false) =>
      limiter(`mail:${name}`, mailsOnDemand[name], rememberBlocked)
    this.#mails = {
      pair: mailLimiter('pair', true),
      address: mailLimiter('address'),
      networks: mailLimiter('networks'),
      hour: mailLimiter('hour'),
      day: mailLimiter('day'),
    }
  }

  /** Counts a call on every limit of the class. Throws 429 with Retry-After. Logins are counted by `login`, once their name is known. An API key has separate limits. */
  async take(rateClass: RateClass, who: { ip: string; userId: number | undefined; apiKeyId?: number }): Promise<void> {
    const { ip, userId, apiKeyId } = who
    const user = apiKeyId !== undefined ? `api key ${apiKeyId}` : userId !== undefined && `user ${userId}`
    for (const { per, limiter } of this.#classes.get(rateClass) ?? [])
      await limiter.take(hashed((per === 'user' && user) || networkOf(ip)))
  }

  /**
   * Begins a login with the name as it was typed. Throws 429 when the limit of failures is used up, now or when the
   * attempt is counted. `delayMs`: how long to wait before the password is compared; more than 0 when the name has many
   * failures.
   */
  async login(typedName: string, ip: string): Promise<Attempt & { delayMs: number }> {
    const { pair: pairs, network: networks, name: names } = this.#login
    const name = typedName.toLowerCase()
    const network = networkOf(ip)
    const [pairKey, networkKey, nameKey] = [hashed(`${network} ${name}`), hashed(network), hashed(name)]
    this.#refuseRemembered(pairKey, networkKey)
    const [pair, whole, anywhere] = await Promise.all([
      pairs.read(pairKey),
      networks.read(networkKey),
      names.read(nameKey),
    ])
    this.#refuseSpent(pairs, pairKey, pair)
    this.#refuseSpent(networks, networkKey, whole)
    return {
      delayMs: anywhere && anywhere.calls >= names.calls ? loginFailures.name.delayMs : 0,
      count: async () => {
        await Promise.all([pairs.take(pairKey), networks.take(networkKey), names.add(nameKey)])
      },
      forgive: async () => {
        await Promise.all([pairs.add(pairKey, -1), networks.add(networkKey, -1), names.add(nameKey, -1)])
      },
    }
  }

  /**
   * Returns an attempt to enter a code, which is counted before the code is compared. `count` throws 429 when too many
   * codes were wrong.
   */
  secondStep(userId: number): Attempt {
    const key = hashed(`user ${userId}`)
    return {
      count: async () => void (await this.#secondStep.take(key)),
      forgive: async () => void (await this.#secondStep.add(key, -1)),
    }
  }

  /** Returns an attempt to enter the code of a TV, which is counted before the code is compared. `count` throws 429 when too many codes were wrong. */
  pairingCode(userId: number, ip: string): Attempt {
    const { user, network } = this.#pairing
    const [userKey, networkKey] = [hashed(`user ${userId}`), hashed(networkOf(ip))]
    return {
      count: async () => void (await Promise.all([user.take(userKey), network.take(networkKey)])),
      forgive: async () => void (await Promise.all([user.add(userKey, -1), network.add(networkKey, -1)])),
    }
  }

  /** Counts wrong credentials of a TV app. Returns false when there were too many from this network. */
  async mayMissLink(ip: string): Promise<boolean> {
    return (await this.#links.add(hashed(networkOf(ip)))).calls <= this.#links.calls
  }

  /** Begins a registration or change of address, whose answer may reveal that an address is registered. Throws 429 after too many such answers to this network. */
  async mayBeTaken(ip: string): Promise<{ wasTaken: () => Promise<void> }> {
    const key = hashed(networkOf(ip))
    const usage = await this.#taken.read(key)
    if (usage && usage.calls >= this.#taken.calls) tooMany(usage.msLeft / 1000)
    return { wasTaken: async () => void (await this.#taken.add(key)) }
  }

  /**
   * Forgets the failed logins of a user from the network where they set a new password: they have proven who they are.
   */
  async forgetFailures(names: string[], ip: string): Promise<void> {
    await Promise.all(names.map((name) => this.#login.pair.forget(hashed(`${networkOf(ip)} ${name.toLowerCase()}`))))
    this.#spent.clear()
  }

  /**
   * Counts a mail to an address that a visitor typed, registered or not. Throws 429 when this network requested too
   * many for it. Returns false when all networks together requested too many; a network that requests one for the first
   * time has a separate limit, so that requests of others do not lock out the owner.
   */
  async mayMail(typedAddress: string, ip: string): Promise<boolean> {
    const mailbox = mailboxOf(typedAddress)
    const { pair, address, networks } = this.#mails
    const fromNetwork = await pair.take(hashed(`${networkOf(ip)} ${mailbox}`))
    const [all, first] = await Promise.all([
      address.add(hashed(mailbox)),
      fromNetwork.calls === 1 ? networks.add(hashed(mailbox)) : undefined,
    ])
    return all.calls <= address.calls || (first !== undefined && first.calls <= networks.calls)
  }

  /** Counts a mail to the mailbox of an address that a user entered but did not confirm. Returns false when it got too many in this hour or day. */
  async mayWriteTo(address: string): Promise<boolean> {
    const key = hashed(mailboxOf(address))
    const { hour, day } = this.#mails
    // A mail beyond the limit of the hour does not count for the day.
    if ((await hour.add(key)).calls > hour.calls) return false
    return (await day.add(key)).calls <= day.calls
  }

  #refuseRemembered(...keys: string[]): void {
    for (const key of keys) {
      const known = this.#spent.get(key)
      if (known && known.forgetAt > performance.now()) tooMany((known.openAt - performance.now()) / 1000)
      this.#spent.delete(key)
    }
  }

  #refuseSpent(limiter: RateLimiter, key: string, usage: Usage | undefined): void {
    if (!usage || usage.calls < limiter.calls) return
    if (this.#spent.size >= 10_000) this.#spent.clear()
    const now = performance.now()
    // Not longer: a login in progress may have the right password, and its call is then subtracted.
    this.#spent.set(key, { forgetAt: now + Math.min(rememberMs, usage.msLeft), openAt: now + usage.msLeft })
    tooMany(usage.msLeft / 1000)
  }
}

// Hashed, so that the table contains neither addresses nor what was typed into the name field.
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** The mailbox behind an address, as in `users.mailbox`: without dots and without what follows a plus. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return `${name.split('+')[0]!.replaceAll('.', '')}@${domain}`
}

/** What counts as one network: an IPv4 address, or the first 64 bits of an IPv6 one. */
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
