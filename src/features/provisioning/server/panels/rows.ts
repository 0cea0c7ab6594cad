import { connectionsOf, firstOf, instantIn, numberOf, textOf, yesOf } from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelLine, PanelPackage } from './adapter.ts'

type Sent = Partial<PanelLine>

/** A line as some panel's row tells it. What the row leaves out is as it was sent. */
export function lineIn(row: unknown, sent: Sent = {}): PanelLine {
  const told = firstOf(row, 'exp_date', 'expire_at', 'expiresAt', 'expire', 'expires_at', 'end_date')
  const expiresAt = told === undefined ? undefined : instantIn(told)
  return {
    lineRef: textOf(firstOf(row, 'line_id', 'created_id', 'id', 'user_id')) || (sent.lineRef ?? ''),
    username: textOf(firstOf(row, 'username', 'login')) || (sent.username ?? ''),
    password: textOf(firstOf(row, 'password')) || (sent.password ?? null),
    expiresAt: expiresAt === undefined ? (sent.expiresAt ?? null) : expiresAt,
    enabled:
      yesOf(firstOf(row, 'enabled', 'is_enabled', 'status')) !== false &&
      yesOf(firstOf(row, 'admin_enabled')) !== false,
    connections: connectionsOf(firstOf(row, 'max_connections', 'maxConnections')) ?? sent.connections ?? null,
    trial: yesOf(firstOf(row, 'is_trial', 'isTrial', 'trial')) ?? sent.trial ?? false,
  }
}

const hoursIn: Record<string, number> = { hour: 1, day: 24, week: 168, month: 730, year: 8_760 }
/** `3` `months` in hours; null for what is no length of time. */
function hours(amount: unknown, unit: unknown): number | null {
  const [count, each] = [numberOf(amount), hoursIn[textOf(unit).toLowerCase().replace(/s$/, '')]]
  return count === null || count <= 0 || each === undefined ? null : Math.round(count * each)
}

/** A package as some panel's row tells it. */
export function packageIn(row: unknown): PanelPackage {
  const trial =
    yesOf(firstOf(row, 'is_trial')) ??
    /\btrial\b/i.test(`${textOf(firstOf(row, 'description'))} ${textOf(firstOf(row, 'package_type'))}`)
  const length = (kind: 'trial' | 'official') =>
    hours(firstOf(row, `${kind}_duration`), firstOf(row, `${kind}_duration_in`))
  const official = yesOf(firstOf(row, 'is_official'))
  const onlyTrial = trial && official !== true
  return {
    packageRef: textOf(firstOf(row, 'id', 'package_id', 'packageRef')),
    name: textOf(firstOf(row, 'package_name', 'name')).slice(0, 120),
    connections: connectionsOf(firstOf(row, 'max_connections', 'maxConnections')),
    hours: numberOf(firstOf(row, 'duration_hours')) ?? length(onlyTrial ? 'trial' : 'official') ?? length('trial'),
    credits: numberOf(firstOf(row, 'price_credits', onlyTrial ? 'trial_credits' : 'official_credits', 'credits')),
    trial,
  }
}
