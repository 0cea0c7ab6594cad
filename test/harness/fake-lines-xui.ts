import type { FakeLines, LineRow } from './fake-lines.ts'

const success = (data?: unknown) => ({ status: 'STATUS_SUCCESS', ...(data !== undefined && { data }) })
const failure = (status: string) => ({ status, data: {} })
const seconds = () => Math.floor(Date.now() / 1000)
let drawn = 41

function secondsOf(date: string | null): string | null {
  return date === null ? null : String(Math.floor(Date.parse(date) / 1000))
}
const found = (panel: FakeLines, fields: URLSearchParams) => panel.rows.get(fields.get('id') ?? '')
const isTaken = (panel: FakeLines, username: string) =>
  [...panel.rows.values()].some((row) => row.username === username)

/** Writes a line as the panel does: fields that are left out become 0. */
function writtenRow(fields: URLSearchParams, before: LineRow): LineRow {
  const flag = (name: string) => (fields.has(name) ? '1' : '0')
  const list = (name: string) => JSON.stringify(fields.getAll(`${name}[]`))
  return {
    ...before,
    username: fields.get('username') || (before.username ?? `drawn${drawn}`),
    password: fields.get('password') || (before.password ?? 'drawn-password'),
    member_id: fields.get('member_id') ?? '1',
    exp_date: fields.has('no_expire') ? null : secondsOf(fields.get('exp_date')),
    max_connections: fields.get('max_connections') ?? '1',
    enabled: fields.get('enabled') ?? '1',
    admin_enabled: fields.get('admin_enabled') ?? '1',
    admin_notes: fields.get('admin_notes') ?? '',
    reseller_notes: fields.get('reseller_notes') ?? '',
    bouquet: fields.get('bouquets_selected') ?? '[]',
    allowed_outputs: `[${fields.getAll('access_output[]').join()}]`,
    is_trial: flag('is_trial'),
    is_restreamer: flag('is_restreamer'),
    is_isplock: flag('is_isplock'),
    allowed_ips: list('allowed_ips'),
    allowed_ua: list('allowed_ua'),
  }
}

function storeRow(panel: FakeLines, row: LineRow): LineRow {
  const id = String(++drawn)
  const whole = { id, created_at: String(seconds()), package_id: null, ...row }
  panel.rows.set(id, whole)
  return whole
}

function common(panel: FakeLines, action: string, fields: URLSearchParams): unknown {
  const row = found(panel, fields)
  switch (action) {
    case 'get_line':
      return row ? success(row) : { status: 'STATUS_FAILURE' }
    case 'get_lines': {
      const search = fields.get('search[value]') ?? ''
      const rows = [...panel.rows.values()].filter(({ username }) => username?.includes(search))
      const start = Number(fields.get('start') ?? 0)
      return {
        draw: 0,
        recordsTotal: panel.rows.size,
        recordsFiltered: rows.length,
        data: rows.slice(start, start + Number(fields.get('limit') ?? 50)),
      }
    }
    case 'enable_line':
    case 'disable_line':
      if (row) row.enabled = action === 'enable_line' ? '1' : '0'
      return row ? success() : { status: 'STATUS_FAILURE' }
    case 'delete_line':
      return panel.rows.delete(fields.get('id') ?? '') ? success() : { status: 'STATUS_FAILURE' }
    default:
      return { status: 'STATUS_FAILURE', error: 'Invalid action.' }
  }
}

/** The administrator API. */
export function adminAction(panel: FakeLines, action: string, fields: URLSearchParams): unknown {
  const date = fields.get('exp_date')
  if ((action === 'create_line' || action === 'edit_line') && date !== null && Number.isNaN(Date.parse(date)))
    return failure('STATUS_INVALID_DATE')
  switch (action) {
    case 'user_info':
      return success({ id: '1', username: 'owner', credits: '0' })
    case 'get_packages':
      return Object.values(panel.packages)
    case 'create_line':
      return isTaken(panel, fields.get('username') ?? '')
        ? failure('STATUS_EXISTS_USERNAME')
        : success(storeRow(panel, writtenRow(fields, {})))
    case 'edit_line': {
      const before = found(panel, fields)
      if (!before) return { status: 'STATUS_FAILURE' }
      return success(Object.assign(before, writtenRow(fields, before)))
    }
    default:
      return common(panel, action, fields)
  }
}

/** The reseller API: packages set a line's content and length, and cost credits. */
export function resellerAction(panel: FakeLines, action: string, fields: URLSearchParams): unknown {
  const isTrial = fields.get('trial') === '1'
  const bought = panel.packages[fields.get('package') ?? '']
  const price = Number(isTrial ? bought?.trial_credits : bought?.official_credits)
  const length = isTrial ? 86_400 : Number(bought?.official_duration) * 30 * 86_400
  switch (action) {
    case 'user_info':
      return success({ username: 'reseller', credits: String(panel.credits) })
    case 'packages':
      return success(Object.values(panel.packages))
    case 'create_line': {
      const username = fields.get('username') ?? ''
      if (!bought) return failure('STATUS_INVALID_PACKAGE')
      if (isTrial && bought.is_trial !== '1') return failure('STATUS_NO_TRIALS')
      if (isTaken(panel, username)) return failure('STATUS_EXISTS_USERNAME')
      if (price > panel.credits) return failure('STATUS_INSUFFICIENT_CREDITS')
      panel.credits -= price
      const row = writtenRow(fields, { max_connections: bought.max_connections ?? '1' })
      const made = storeRow(panel, {
        ...row,
        exp_date: String(seconds() + length),
        max_connections: bought.max_connections ?? '1',
        bouquet: bought.bouquets ?? '[]',
        allowed_outputs: bought.output_formats ?? '[]',
        is_trial: isTrial ? '1' : '0',
      })
      return success({
        id: Number(made.id),
        username: made.username,
        password: made.password,
        exp_date: Number(made.exp_date),
      })
    }
    case 'edit_line': {
      const row = found(panel, fields)
      if (!row) return { status: 'STATUS_FAILURE' }
      if (!bought) return failure('STATUS_INVALID_PACKAGE')
      if (price > panel.credits) return failure('STATUS_INSUFFICIENT_CREDITS')
      panel.credits -= price
      return success(
        Object.assign(row, { exp_date: String(Math.max(Number(row.exp_date), seconds()) + length), is_trial: '0' }),
      )
    }
    default:
      return common(panel, action, fields)
  }
}
