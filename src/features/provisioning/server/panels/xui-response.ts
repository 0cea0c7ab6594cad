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
 * What stands in the envelope that XUI answers with (HTTP 200 throughout). Throws what the status refuses; a failure without a reason is
 * `silent`. Lists may come without an envelope.
 */
export function xuiData({ status, json }: PanelResponse, silent: Refusal = 'invalid'): unknown {
  if (Array.isArray(json)) return json
  const said = asText(ownField(json, 'status')).toUpperCase()
  const why = firstField(json, 'error', 'message')
  if (said === 'STATUS_SUCCESS' || said === 'SUCCESS') return ownField(json, 'data')
  if (said === 'STATUS_FAILURE') throw why === undefined ? refusalError(silent) : refusalFromText(why)
  if (said.startsWith('STATUS_'))
    throw refusalError(refusals[said] ?? (said.startsWith('STATUS_EXISTS') ? 'exists' : 'invalid'), why ?? said)
  if (status >= 400) throw refusalFromStatus(status, why)
  // The table of lines is passed through as the panel's own pages read it.
  if (asRows(ownField(json, 'data')) && asBoolean(ownField(json, 'status')) !== false) return ownField(json, 'data')
  throw new PanelError('unreadable', 'The panel gave an answer we cannot read.')
}
