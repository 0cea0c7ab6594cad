import type { OutboundFailure } from '#server/outbound/outbound.ts'
import { CircuitOpenError } from '#server/overload/circuit-breaker.ts'
import type { PanelFailure } from './port.ts'

type FailureReason = PanelFailure['refusal']

/** Why a question to a panel ended without what was asked for. The message holds no secrets once `masked`. */
export class PanelError extends Error {
  override name = 'PanelTrouble'
  readonly refusal: FailureReason
  /** No byte of what was asked has left. */
  readonly nothingSent: boolean
  constructor(refusal: FailureReason, message: string, nothingSent = false) {
    super(message)
    this.refusal = refusal
    this.nothingSent = nothingSent
  }
}

const unreadable = (message = 'The panel gave an answer we cannot read.') => new PanelError('unreadable', message)
const certificate = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_)/
const messages: Record<string, string> = {
  timeout: 'The panel did not answer in time.',
  ECONNREFUSED: 'The panel refuses connections: nobody listens at its address.',
  ENOTFOUND: 'The name in the panel’s address leads nowhere.',
  EAI_AGAIN: 'The name in the panel’s address leads nowhere.',
  ECONNRESET: 'The panel broke the connection off.',
  EPROTO: 'The panel does not speak TLS at this address. Does it want http:// or another port?',
  private_address: 'The panel has a private address, which this server may not call (PANEL_ALLOW_PRIVATE).',
  held: 'This installation is not live, so it calls no panel. An administrator can declare it live.',
  busy: 'Too many questions to the panel are under way.',
}

const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'private_address', 'busy', 'held'])

/** What no answer at all means; `nothingSent` where the caller knows that. */
export function noResponseError(error: OutboundFailure | CircuitOpenError, nothingSent = false): PanelError {
  if (error instanceof CircuitOpenError)
    return new PanelError(
      'unreachable',
      `The panel failed too often and is left alone for ${error.retryAfterSeconds} more seconds.`,
      true,
    )
  if (error.code === 'too_large') return unreadable('The panel’s answer is far too large.')
  if (error.code === 'bad_encoding' || error.code.startsWith('Z_') || error.code.startsWith('HPE_')) return unreadable()
  if (certificate.test(error.code))
    return new PanelError(
      'unreachable',
      `The panel’s certificate is not trusted (${error.code}). For an authority of your own, enter its certificate.`,
      true,
    )
  return new PanelError(
    'unreachable',
    messages[error.code] ?? `The panel cannot be reached (${error.code}).`,
    nothingSent || unsent.has(error.code),
  )
}

/** The panel's API is not where the settings say. Nothing was done there. */
export const apiNotFoundError = () =>
  new PanelError(
    'unreachable',
    'The panel’s API was not found at this address (HTTP 404). Check the path and the access code in it. Some panels also answer so to servers that they do not allow.',
    true,
  )

/** What a status says whatever the body claims; undefined where the body is to be read. */
export function statusError(status: number, body: string, json: unknown): PanelError | undefined {
  if (status >= 500) return new PanelError('unreachable', `The panel has a problem of its own (HTTP ${status}).`)
  if (status === 429) return new PanelError('unreachable', 'The panel asks us to wait (HTTP 429).')
  if (status >= 300 && status < 400)
    return unreadable('The panel sends us on to another address. Enter the one it leads to, if you trust it.')
  if (status === 401)
    return new PanelError('auth', 'The panel does not accept the key, or the user name it belongs to (HTTP 401).')
  if (status === 403 || status === 407)
    return new PanelError(
      'auth',
      `The panel refuses access (HTTP ${status}). Check whether it allows this server’s address, and the permissions of the key.`,
    )
  if (status >= 400 || json !== undefined) return undefined
  return unreadable(
    body.trimStart().startsWith('<') ? 'Something other than the panel’s API answered: a web page.' : undefined,
  )
}
