import {
  asBoolean,
  asConnections,
  asInstant,
  asNumber,
  asText,
  firstField,
} from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelLine, PanelPackage } from './port.ts'

type Defaults = Partial<PanelLine>

/** Parses a line from any panel's row. `defaults` are used for fields that the row does not have. */
export function parseLine(row: unknown, defaults: Defaults = {}): PanelLine {
  const expiry = firstField(row, 'exp_date', 'expire_at', 'expiresAt', 'expire', 'expires_at', 'end_date')
  const expiresAt = expiry === undefined ? undefined : asInstant(expiry)
  return {
    lineRef: asText(firstField(row, 'line_id', 'created_id', 'id', 'user_id')) || (defaults.lineRef ?? ''),
    username: asText(firstField(row, 'username', 'login')) || (defaults.username ?? ''),
    password: asText(firstField(row, 'password')) || (defaults.password ?? null),
    expiresAt: expiresAt === undefined ? (defaults.expiresAt ?? null) : expiresAt,
    enabled:
      asBoolean(firstField(row, 'enabled', 'is_enabled', 'status')) !== false &&
      asBoolean(firstField(row, 'admin_enabled')) !== false,
    connections: asConnections(firstField(row, 'max_connections', 'maxConnections')) ?? defaults.connections ?? null,
    trial: asBoolean(firstField(row, 'is_trial', 'isTrial', 'trial')) ?? defaults.trial ?? false,
  }
}

const hoursPerUnit: Record<string, number> = { hour: 1, day: 24, week: 168, month: 730, year: 8_760 }
/** Converts a duration such as `3`, `months` to hours; null if it is not a duration. */
function durationHours(amount: unknown, unit: unknown): number | null {
  const [count, each] = [asNumber(amount), hoursPerUnit[asText(unit).toLowerCase().replace(/s$/, '')]]
  return count === null || count <= 0 || each === undefined ? null : Math.round(count * each)
}

/** Parses a package from any panel's row. */
export function parsePackage(row: unknown): PanelPackage {
  const trial =
    asBoolean(firstField(row, 'is_trial')) ??
    /\btrial\b/i.test(`${asText(firstField(row, 'description'))} ${asText(firstField(row, 'package_type'))}`)
  const length = (kind: 'trial' | 'official') =>
    durationHours(firstField(row, `${kind}_duration`), firstField(row, `${kind}_duration_in`))
  const official = asBoolean(firstField(row, 'is_official'))
  const onlyTrial = trial && official !== true
  return {
    packageRef: asText(firstField(row, 'id', 'package_id', 'packageRef')),
    name: asText(firstField(row, 'package_name', 'name')).slice(0, 120),
    connections: asConnections(firstField(row, 'max_connections', 'maxConnections')),
    hours: asNumber(firstField(row, 'duration_hours')) ?? length(onlyTrial ? 'trial' : 'official') ?? length('trial'),
    credits: asNumber(firstField(row, 'price_credits', onlyTrial ? 'trial_credits' : 'official_credits', 'credits')),
    trial,
  }
}
