import { parseJson } from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import { Outbound, type OutboundAnswer, type OutboundCall, OutboundFailure } from '#server/outbound/outbound.ts'
import { CircuitBreaker, CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import { apiNotFoundError, noResponseError, PanelError, statusError } from './errors.ts'

export type PanelResponse = { status: number; json: unknown }

/**
 * The way to one panel: one client, one breaker, and its key, which no message may hold. `isOneFile`: every call goes to one file, so a 404
 * without JSON is about the address and never about a line.
 */
export type PanelConnection = {
  outbound: Outbound
  breaker: CircuitBreaker
  secrets: readonly string[]
  callMs: number
  isOneFile: boolean
}

type ConnectionOptions = {
  base: string
  ca: string
  allowPrivate: boolean
  secrets: readonly string[]
  callMs?: number
  clock?: () => number
  isOneFile?: boolean
}
export const openConnection = ({
  base,
  ca,
  allowPrivate,
  secrets,
  callMs = limits.panel.callMs,
  clock,
  isOneFile = false,
}: ConnectionOptions): PanelConnection => ({
  outbound: new Outbound({ base, ca: ca || undefined, allowPrivate, userAgent: 'Sauce' }),
  breaker: new CircuitBreaker({ now: clock }),
  secrets,
  callMs,
  isOneFile,
})

/** Failures that no wrong line and no wrong package brings about. Our own limit of calls at once is not the panel's. */
const hasFailed = (answer: OutboundAnswer | OutboundFailure): boolean =>
  answer instanceof OutboundFailure
    ? !['busy', 'held', 'too_large'].includes(answer.code)
    : answer.status >= 500 || answer.status === 429

/** One question of ours, however many calls it takes: they share its time, and know whether something was changed already. */
export class PanelSession {
  readonly #way: PanelConnection
  readonly #until: number
  readonly #secrets: Set<string>
  #changed = false
  #reached = false

  constructor(way: PanelConnection, secrets: readonly string[] = []) {
    this.#way = way
    this.#until = performance.now() + way.callMs
    this.#secrets = new Set([...way.secrets, ...secrets])
  }

  /** Whether the panel has said that it did something: from then on no trouble means that nothing was done. */
  get changed(): boolean {
    return this.#changed
  }

  /** Whether a wish for a change may have got to the panel, whatever came back. */
  get reached(): boolean {
    return this.#reached
  }

  /** An answer of the twos or fours, its JSON read. Throws PanelTrouble for everything else. */
  async query(call: OutboundCall): Promise<PanelResponse> {
    const totalMs = Math.floor(this.#until - performance.now())
    if (totalMs < 1) throw noResponseError(new OutboundFailure('timeout'), true)
    const { outbound, breaker, isOneFile } = this.#way
    const answer = await breaker
      .run(() => outbound.send({ bodyBytes: limits.panel.bodyBytes, ...call, totalMs }).catch(failureOnly), hasFailed)
      .catch((error: unknown) => {
        if (error instanceof CircuitOpenError) throw noResponseError(error)
        throw error
      })
    if (answer instanceof OutboundFailure) throw noResponseError(answer)
    const json = parseJson(answer.body)
    if (isOneFile && answer.status === 404 && json === undefined) throw apiNotFoundError()
    const trouble = statusError(answer.status, answer.body, json)
    if (trouble) throw trouble
    return { status: answer.status, json }
  }

  /** Asks for a change; `read` throws PanelTrouble for what is no yes. */
  async change<T>(call: OutboundCall, read: (heard: PanelResponse) => T): Promise<T> {
    const heard = await this.query(call).catch((error: unknown) => {
      this.#reached ||= !(error instanceof PanelError && error.nothingSent)
      throw error
    })
    this.#reached = true
    const result = read(heard)
    this.#changed = true
    return result
  }

  /** Something else that no message may hold. */
  addSecret(secret: string | null): void {
    if (secret) this.#secrets.add(secret)
  }

  redact(message: string): string {
    let text = message
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length))
      for (const form of [secret, encodeURIComponent(secret)]) if (form.length > 2) text = text.replaceAll(form, '•••')
    return text
  }
}

function failureOnly(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  throw error
}

/** What was thrown in the middle of an operation, for the port. Anything but a panel's doing is a bug and goes on. */
export function asPanelError(error: unknown): PanelError {
  if (error instanceof PanelError) return error
  throw error
}
