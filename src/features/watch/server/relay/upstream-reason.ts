import { OutboundFailure } from '#server/outbound/outbound.ts'
import type { Reason } from '../../rules.ts'

/** Codes of addresses that must not be called; `redirect` is a redirect to one. */
export const hostile: ReadonlySet<string> = new Set([
  'scheme',
  'user_info',
  'too_long',
  'own_host',
  'port',
  'downgrade',
  'host',
  'redirect',
  'private_address',
  'bad_encoding',
])

/** A stream that cannot be relayed. `detail` is a category for the log, without any part of the address or the response. */
export class StreamFailure extends Error {
  override name = 'StreamFailure'
  readonly reason: Reason
  readonly detail: string
  constructor(reason: Reason, detail: string) {
    super(`The stream failed: ${reason} (${detail})`)
    this.reason = reason
    this.detail = detail
  }
}

/** Returns the failure of a call that threw. `isFirst`: it was the call to the operator's panel. Rethrows errors that are not failures of a call. */
export function streamFailureOf(error: unknown, { isFirst }: { isFirst: boolean }): StreamFailure {
  if (error instanceof StreamFailure) return error
  if (!(error instanceof OutboundFailure)) throw error
  if (hostile.has(error.code)) return new StreamFailure('bad_stream', error.code)
  return new StreamFailure(isFirst ? 'panel_down' : 'channel_down', error.code)
}

/**
 * Returns the failure that the status of a response means; undefined if the request succeeded. `wasBusy`: a stream of the same line was closed moments ago, so
 * a refusal probably means that the panel still counts it.
 */
export function statusFailure(status: number, { wasBusy = false } = {}): StreamFailure | undefined {
  if (status === 200 || status === 206) return undefined
  const detail = `HTTP ${status}`
  if (status === 429) return new StreamFailure('too_many', detail)
  if (wasBusy && (status === 403 || status === 503)) return new StreamFailure('too_many', detail)
  if (status === 401 || status === 403) return new StreamFailure('refused', detail)
  return new StreamFailure('channel_down', detail)
}
