import { firstOf, own, rowsIn, textOf, yesOf } from '#features/iptv/server/xtream/json-fields.ts'
import type { Refusal } from './adapter.ts'
import { PanelTrouble } from './errors.ts'
import type { Heard } from './http.ts'
import { refusalIn, refusalOfStatus, refused } from './refusals.ts'

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
export function xuiData({ status, json }: Heard, silent: Refusal = 'invalid'): unknown {
  if (Array.isArray(json)) return json
  const said = textOf(own(json, 'status')).toUpperCase()
  const why = firstOf(json, 'error', 'message')
  if (said === 'STATUS_SUCCESS' || said === 'SUCCESS') return own(json, 'data')
  if (said === 'STATUS_FAILURE') throw why === undefined ? refused(silent) : refusalIn(why)
  if (said.startsWith('STATUS_'))
    throw refused(refusals[said] ?? (said.startsWith('STATUS_EXISTS') ? 'exists' : 'invalid'), why ?? said)
  if (status >= 400) throw refusalOfStatus(status, why)
  // The table of lines is passed through as the panel's own pages read it.
  if (rowsIn(own(json, 'data')) && yesOf(own(json, 'status')) !== false) return own(json, 'data')
  throw new PanelTrouble('unreadable', 'The panel gave an answer we cannot read.')
}
