import type { OutboundFailure } from '#server/outbound/outbound.ts'
import { CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import type { PanelFailure } from './port.ts'

type FailureReason = PanelFailure['refusal']

/** A panel failed or refused. The message may contain secrets until `PanelSession.redact` removes them. */
export class PanelError extends Error {
  override name = 'PanelError'
  readonly refusal: FailureReason
  /** Whether no byte of the request was sent. */
  readonly nothingSent: boolean
  constructor(refusal: FailureReason, message: string, nothingSent = false) {
    super(message)
    this.refusal = refusal
    this.nothingSent = nothingSent
  }
}

const unreadable = (message = 'The panel sent a response that cannot be read.') => new PanelError('unreadable', message)
const certificate = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_)/
const messages: Record<string, string> = {
  timeout: 'The panel did not answer in time.',
  ECONNREFUSED: 'The panel refuses connections: no server is listening at its address.',
  ENOTFOUND: 'The host name in the panel’s address cannot be resolved.',
  EAI_AGAIN: 'The host name in the panel’s address cannot be resolved.',
  ECONNRESET: 'The panel closed the connection.',
  EPROTO: 'The panel does not use TLS at this address. Try http:// or another port.',
  private_address:
    'The panel has a private address, which this server may not call. To allow it, set PANEL_ALLOW_PRIVATE.',
  held: 'This installation is not live, so it calls no panel. An administrator can declare it live.',
  busy: 'Too many requests to the panel are in progress.',
}

const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'private_address', 'busy', 'held'])

/** The error for a request without a response. `nothingSent`: the caller knows that nothing was sent. */
export function noResponseError(error: OutboundFailure | CircuitOpenError, nothingSent = false): PanelError {
  if (error instanceof CircuitOpenError)
    return new PanelError(
      'unreachable',
      `The panel failed too often. No calls are made for ${error.retryAfterSeconds} more seconds.`,
      true,
    )
  if (error.code === 'too_large') return unreadable('The panel’s response is too large.')
  if (error.code === 'bad_encoding' || error.code.startsWith('Z_') || error.code.startsWith('HPE_')) return unreadable()
  if (certificate.test(error.code))
    return new PanelError(
      'unreachable',
      `The panel’s certificate is not trusted (${error.code}). If it is signed by your own CA, enter the CA’s certificate.`,
      true,
    )
  return new PanelError(
    'unreachable',
    messages[error.code] ?? `The panel cannot be reached (${error.code}).`,
    nothingSent || unsent.has(error.code),
  )
}

/** The error for an API that is not at the configured address, so that nothing was done. */
export const apiNotFoundError = () =>
  new PanelError(
    'unreachable',
    'The panel’s API was not found at this address (HTTP 404). Check the path and the access code in it. Some panels respond like this to servers that are not on their allowlist.',
    true,
  )

/** The error that an HTTP status or an unreadable body implies; undefined if the parsed body decides. */
export function statusError(status: number, body: string, json: unknown): PanelError | undefined {
  if (status >= 500) return new PanelError('unreachable', `The panel has an internal error (HTTP ${status}).`)
  if (status === 429) return new PanelError('unreachable', 'The panel limits our requests (HTTP 429).')
  if (status >= 300 && status < 400)
    return unreadable('The panel redirects to another address. Enter that address if you trust it.')
  if (status === 401) return new PanelError('auth', 'The panel does not accept the key or the username (HTTP 401).')
  if (status === 403 || status === 407)
    return new PanelError(
      'auth',
      `The panel refuses access (HTTP ${status}). Check whether it allows this server’s address, and the permissions of the key.`,
    )
  if (status >= 400 || json !== undefined) return undefined
  return unreadable(
    body.trimStart().startsWith('<') ? 'The address returned a web page, not the panel’s API.' : undefined,
  )
}
