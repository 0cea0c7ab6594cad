import { parsePanelJson } from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import { Outbound, type OutboundCall, OutboundFailure, type OutboundResponse } from '#server/outbound/outbound.ts'
import { CircuitBreaker, CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import { apiNotFoundError, noResponseError, PanelError, statusError } from './errors.ts'

/** A response with its parsed JSON; `json` is undefined if the body is not JSON. */
export type PanelResponse = { status: number; json: unknown }

/**
 * The connection to one panel: an HTTP client, a circuit breaker and the secrets that no message may contain. `isOneFile`: all calls go to one file, so a 404
 * without JSON means that the address is wrong, not that a line is missing. `callMs` is the time limit of a session, in milliseconds.
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

/**
 * Whether the circuit breaker counts an answer as a failure of the panel. Errors about a line or a package do not count, and neither does our own concurrency
 * limit.
 */
const hasFailed = (answer: OutboundResponse | OutboundFailure): boolean =>
  answer instanceof OutboundFailure
    ? !['busy', 'held', 'too_large'].includes(answer.code)
    : answer.status >= 500 || answer.status === 429

/** One operation on a panel, which may take several calls. The calls share one time limit; the session records whether anything was changed. */
export class PanelSession {
  readonly #connection: PanelConnection
  readonly #until: number
  readonly #secrets: Set<string>
  #changed = false
  #reached = false

  constructor(connection: PanelConnection, secrets: readonly string[] = []) {
    this.#connection = connection
    this.#until = performance.now() + connection.callMs
    this.#secrets = new Set([...connection.secrets, ...secrets])
  }

  /** Whether the panel confirmed a change. If so, a later error does not mean that nothing was done. */
  get changed(): boolean {
    return this.#changed
  }

  /** Whether a request for a change may have reached the panel. */
  get reached(): boolean {
    return this.#reached
  }

  /** Sends a request and parses its JSON. Returns 2xx and most 4xx responses; throws `PanelError` for everything else. */
  async query(call: OutboundCall): Promise<PanelResponse> {
    const totalMs = Math.floor(this.#until - performance.now())
    if (totalMs < 1) throw noResponseError(new OutboundFailure('timeout'), true)
    const { outbound, breaker, isOneFile } = this.#connection
    const answer = await breaker
      .run(() => outbound.send({ bodyBytes: limits.panel.bodyBytes, ...call, totalMs }).catch(failureOnly), hasFailed)
      .catch((error: unknown) => {
        if (error instanceof CircuitOpenError) throw noResponseError(error)
        throw error
      })
    if (answer instanceof OutboundFailure) throw noResponseError(answer)
    const json = parsePanelJson(answer.body)
    if (isOneFile && answer.status === 404 && json === undefined) throw apiNotFoundError()
    const failure = statusError(answer.status, answer.body, json)
    if (failure) throw failure
    return { status: answer.status, json }
  }

  /** Sends a request that changes something. `read` throws `PanelError` unless the response confirms the change. */
  async change<T>(call: OutboundCall, read: (response: PanelResponse) => T): Promise<T> {
    const response = await this.query(call).catch((error: unknown) => {
      this.#reached ||= !(error instanceof PanelError && error.nothingSent)
      throw error
    })
    this.#reached = true
    const result = read(response)
    this.#changed = true
    return result
  }

  /** Adds a secret that no message may contain. */
  addSecret(secret: string | null): void {
    if (secret) this.#secrets.add(secret)
  }

  /** The message without the session's secrets. */
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

/** Returns the error if it is a `PanelError`. Rethrows any other error, which is a bug. */
export function asPanelError(error: unknown): PanelError {
  if (error instanceof PanelError) return error
  throw error
}
