import { asBoolean, asRows, asText, firstField, ownField } from '#features/iptv/server/xtream/json-fields.ts'
import { PanelError } from './errors.ts'
import type { PanelResponse } from './http.ts'
import type { Refusal } from './port.ts'
import { refusalError, refusalFromStatus, refusalFromText } from './refusals.ts'

const refusals: Record<string, Refusal> = {
  STATUS_INSUFFICIENT_CREDITS: 'credits',
  STATUS_NO_TRIALS: 'no_trials',
  STATUS_INVALID_PACKAGE: 'package',
  STATUS_NO_PERMISSIONS: 'auth',
  STATUS_EXISTS_USERNAME: 'exists',
}

/**
 * Returns the data of an XUI response, whose HTTP status is always 200. Throws `PanelError` for a refusal; `silent` is the refusal for a failure without a
 * reason. Lists may come without an envelope.
 */
export function xuiData({ status, json }: PanelResponse, silent: Refusal = 'invalid'): unknown {
  if (Array.isArray(json)) return json
  const statusText = asText(ownField(json, 'status')).toUpperCase()
  const reason = firstField(json, 'error', 'message')
  if (statusText === 'STATUS_SUCCESS' || statusText === 'SUCCESS') return ownField(json, 'data')
  if (statusText === 'STATUS_FAILURE') throw reason === undefined ? refusalError(silent) : refusalFromText(reason)
  if (statusText.startsWith('STATUS_'))
    throw refusalError(
      refusals[statusText] ?? (statusText.startsWith('STATUS_EXISTS') ? 'exists' : 'invalid'),
      reason ?? statusText,
    )
  if (status >= 400) throw refusalFromStatus(status, reason)
  // The list of lines has the format of the panel's own web pages.
  if (asRows(ownField(json, 'data')) && asBoolean(ownField(json, 'status')) !== false) return ownField(json, 'data')
  throw new PanelError('unreadable', 'The panel sent a response that cannot be read.')
}
