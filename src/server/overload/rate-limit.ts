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

/**
 * Limits of failed logins: for one name from one network (`pair`), for all names from one network, and for one name from all networks. Beyond the last limit,
 * logins are delayed and never refused.
 */
export const loginFailures = {
  pair: { calls: 5, seconds: 15 * minute },
  network: { calls: 20, seconds: 15 * minute },
  name: { calls: 100, seconds: hour, delayMs: 3_000 },
}
/** The limit of wrong second-factor codes for one user, across all their logins. */
export const secondStepFailures = { calls: 10, seconds: 15 * minute }
/** Limits of wrong pairing codes: by one user, and from one network. */
export const pairingFailures = {
  user: { calls: 5, seconds: 10 * minute },
  network: { calls: 20, seconds: 10 * minute },
}
/** The limit of wrong TV app credentials from one network. */
export const linkFailures = { calls: 20, seconds: hour }
/**
 * Limits of the emails to one mailbox that visitors can trigger. `pair`: by one network; further requests are refused. `address`: by all networks. `networks`:
 * by networks that request an email to this mailbox for the first time. Beyond both `address` and `networks`, no email is sent, but the response stays the
 * same. `hour` and `day` limit the emails for registrations and email address changes.
 */
export const mailsOnDemand = {
  pair: { calls: 5, seconds: hour },
  address: { calls: 10, seconds: hour },
  networks: { calls: 30, seconds: hour },
  hour: { calls: 5, seconds: hour },
  day: { calls: 10, seconds: day },
}
/** The limit of refusals to one network because a name or email address is taken. Each refusal reveals that it is registered. */
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

  /**
   * Counts a call toward every limit of the rate class. Throws 429 with Retry-After. Logins are counted by `login` once the name is known. An API key has
   * separate limits.
   */
  async take(rateClass: RateClass, who: { ip: string; userId: number | undefined; apiKeyId?: number }): Promise<void> {
    const { ip, userId, apiKeyId } = who
    const user = apiKeyId !== undefined ? `api key ${apiKeyId}` : userId !== undefined && `user ${userId}`
    for (const { per, limiter } of this.#classes.get(rateClass) ?? [])
      await limiter.take(hashed((per === 'user' && user) || networkOf(ip)))
  }

  /**
   * Begins a login with the name as it was typed. Throws 429 if the limit of failed logins is used up, immediately or in `count`. `delayMs` is how long to wait
   * before the password is compared. It is more than 0 if many logins with the name have failed.
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

  /** Returns an attempt to enter a second-factor code. Count it before comparing the code. `count` throws 429 if too many codes were wrong. */
  secondStep(userId: number): Attempt {
    const key = hashed(`user ${userId}`)
    return {
      count: async () => void (await this.#secondStep.take(key)),
      forgive: async () => void (await this.#secondStep.add(key, -1)),
    }
  }

  /** Returns an attempt to enter the pairing code of a TV. Count it before comparing the code. `count` throws 429 if too many codes were wrong. */
  pairingCode(userId: number, ip: string): Attempt {
    const { user, network } = this.#pairing
    const [userKey, networkKey] = [hashed(`user ${userId}`), hashed(networkOf(ip))]
    return {
      count: async () => void (await Promise.all([user.take(userKey), network.take(networkKey)])),
      forgive: async () => void (await Promise.all([user.add(userKey, -1), network.add(networkKey, -1)])),
    }
  }

  /** Counts wrong TV app credentials. Returns false if too many came from this network. */
  async mayMissLink(ip: string): Promise<boolean> {
    return (await this.#links.add(hashed(networkOf(ip)))).calls <= this.#links.calls
  }

  /**
   * Begins a registration or an email address change. Its response may reveal that an address is registered; call `wasTaken` if it does. Throws 429 after too
   * many such responses to this network.
   */
  async mayBeTaken(ip: string): Promise<{ wasTaken: () => Promise<void> }> {
    const key = hashed(networkOf(ip))
    const usage = await this.#taken.read(key)
    if (usage && usage.calls >= this.#taken.calls) tooMany(usage.msLeft / 1000)
    return { wasTaken: async () => void (await this.#taken.add(key)) }
  }

  /** Forgets the failed logins of a user from the network where they set a new password: they have proven who they are. */
  async forgetFailures(names: string[], ip: string): Promise<void> {
    await Promise.all(names.map((name) => this.#login.pair.forget(hashed(`${networkOf(ip)} ${name.toLowerCase()}`))))
    this.#spent.clear()
  }

  /**
   * Counts an email to an address that a visitor typed, registered or not. Throws 429 if this network requested too many emails to it. Returns false if all
   * networks together requested too many. Networks that request an email for the first time have a separate limit, so that the requests of others do not lock
   * out the owner.
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

  /**
   * Counts an email to the mailbox of an address that a user entered but has not confirmed. Returns false if the mailbox got too many emails in this hour or
   * day.
   */
  async mayWriteTo(address: string): Promise<boolean> {
    const key = hashed(mailboxOf(address))
    const { hour, day } = this.#mails
    // An email beyond the hourly limit does not count toward the daily limit.
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
    // Not longer than `rememberMs`: a login in progress may have the right password, and its call is then subtracted.
    this.#spent.set(key, { forgetAt: now + Math.min(rememberMs, usage.msLeft), openAt: now + usage.msLeft })
    tooMany(usage.msLeft / 1000)
  }
}

// Hashed, so that the table contains neither addresses nor what was typed into the name field.
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Returns the mailbox of an email address, as in `users.mailbox`: the local part without its dots and without a plus and what follows it. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return `${name.split('+')[0]!.replaceAll('.', '')}@${domain}`
}

/** Returns the network of an IP address: the IPv4 address itself, or the first 64 bits of an IPv6 address. */
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
