import { eq, sql } from 'drizzle-orm'
import { panelServer } from '#features/iptv/server/server-of-line.ts'
import { playerPanel } from '#features/iptv/server/xtream/player-address.ts'
import { isLineOfCustomer } from '#features/provisioning/server/own-line.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lines, users } from '#server/db/tables.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import { type Reason, screensOf } from '../../rules.ts'

/** The columns of `LineRow`, from `users` left joined with `lines`. */
export const lineColumns = {
  userId: users.id,
  hasLine: sql<boolean>`coalesce(${isLineOfCustomer} and (${lines.lineRef} is not null or ${lines.wantedEnabled}), false)`,
  isCreated: sql<boolean>`${lines.lineRef} is not null`,
  wantedEnabled: lines.wantedEnabled,
  panelEnabled: lines.panelEnabled,
  server: lines.server,
  panelServer,
  lineUsername: lines.username,
  linePassword: lines.password,
  connections: lines.wantedConnections,
  isTrial: sql<boolean>`coalesce(${lines.wantedUntil} = ${lines.trialUntil}, false)`,
  isSynced: users.iptvSynced,
  accountUsername: users.iptvUsername,
  accountPassword: users.iptvPassword,
  accountConnections: users.iptvMaxConnections,
  isSubscribed: sql<boolean>`coalesce(${users.subscriptionEndDate} > now(), false)`,
  subscriptionEndDate: users.subscriptionEndDate,
}
/** The data that determines with which line a customer watches. */
export type LineRow = {
  userId: number
  hasLine: boolean
  isCreated: boolean
  wantedEnabled: boolean | null
  panelEnabled: boolean | null
  server: string | null
  /** The server of the line's panel; null if it is the main panel. */
  panelServer: string | null
  lineUsername: string | null
  linePassword: string | null
  connections: number | null
  isTrial: boolean
  isSynced: boolean
  accountUsername: string | null
  accountPassword: string | null
  accountConnections: number | null
  isSubscribed: boolean
  subscriptionEndDate: string | null
}

/** The line with which streams are requested. `password` decrypts it: use it only in requests to the panel. */
export type LineToWatch = {
  base: URL
  userAgent: string
  username: string
  password: () => string
  screens: number
  isTrial: boolean
}
type Watching = { line: LineToWatch } | { blocked: Reason }

/** Reads the row of a customer, for `lineToWatch`. */
export async function readLineRow(db: Db | Tx, userId: number): Promise<LineRow> {
  const [row] = await db
    .select(lineColumns)
    .from(users)
    .leftJoin(lines, eq(lines.userId, users.id))
    .where(eq(users.id, userId))
  return row!
}

/** Returns the customer's own line if it is ready, otherwise their synced account, otherwise why they cannot watch. */
export async function lineToWatch(db: Db | Tx, config: Config, row: LineRow): Promise<Watching> {
  const panel = playerPanel(config, await settings.read(db, 'provisioning'))
  const { hasLine, isCreated, wantedEnabled, panelEnabled, isSubscribed, userId } = row
  const userAgent = panel?.userAgent ?? config.panel?.userAgent ?? playerUserAgent
  const serverOfPanel = row.panelServer ?? panel?.url
  const address = row.server || serverOfPanel
  if (hasLine && isCreated && wantedEnabled && panelEnabled && address && row.lineUsername && row.linePassword) {
    const sealed = row.linePassword
    return {
      line: {
        base: new URL(address),
        userAgent,
        username: row.lineUsername,
        password: () => open(secretKey(config), sealed, sealedColumns.linePassword.context(userId)),
        screens: screensOf(row.connections),
        isTrial: row.isTrial,
      },
    }
  }
  if (isSubscribed && row.isSynced && serverOfPanel && row.accountUsername && row.accountPassword) {
    const sealed = row.accountPassword
    return {
      line: {
        base: new URL(serverOfPanel),
        userAgent,
        username: row.accountUsername,
        password: () => open(secretKey(config), sealed, sealedColumns.iptvPassword.context(userId)),
        screens: screensOf(row.accountConnections),
        isTrial: false,
      },
    }
  }
  if (hasLine && wantedEnabled) return { blocked: 'preparing' }
  if (!isSubscribed) return { blocked: 'expired' }
  return { blocked: hasLine ? 'paused' : 'preparing' }
}

/** Returns how many screens a customer may use at the same time; 0 if they cannot watch. */
export async function screensOfCustomer(db: Db, config: Config, userId: number): Promise<number> {
  const watching = await lineToWatch(db, config, await readLineRow(db, userId))
  return 'line' in watching ? watching.line.screens : 0
}

const playerUserAgent = 'VLC/3.0.18 LibVLC/3.0.18'

/** Returns the address of a channel's stream on the panel. It contains the credentials, so it must not leave the server or be logged. */
export function streamAddress(line: LineToWatch, stream: string, extension: 'm3u8' | 'ts' = 'm3u8'): URL {
  return panelAddress(line, ['live', line.username, line.password(), `${stream}.${extension}`])
}

/** Returns an address on the panel: its base address with these parts appended to the path. */
export function panelAddress({ base }: LineToWatch, parts: readonly string[]): URL {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${parts.map(encodeURIComponent).join('/')}`
  return url
}
