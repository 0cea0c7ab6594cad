import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Config } from './config.ts'
import type { Db, Tx } from './db/connect.ts'
import { installation } from './db/tables.ts'

/** What the processes of one installation share and a copy of it does not. `address`: the host name in PUBLIC_URL, null where that is not set or names a machine. */
export type Identity = { place: string; address: string | null }
/** Why an installation may not act: its database was restored from a backup, belongs to another place, or to another address. */
export type Held = 'restored' | 'place' | 'address'
export type Ownership = typeof installation.$inferSelect

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'publicUrl'>

/**
 * Who this installation is. With the embedded PostgreSQL the place is the machine and the data folder, with a server it is the server's
 * cluster and the database in it, so that all hosts on one database are one installation.
 */
export async function identityOf(db: Db | Tx, config: Settings): Promise<Identity> {
  const isEmbedded = config.databaseUrl === undefined && existsSync(join(config.dataDir, 'postgres'))
  const place = isEmbedded ? placeOfFolder(config.dataDir) : await placeOnServer(db)
  return { place, address: addressOf(config.publicUrl) }
}

/** Null for `localhost` and IP addresses: they name a machine, and hosts of one installation may differ in them. */
export function addressOf(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' || hostname.startsWith('[') || /^[\d.]+$/.test(hostname) ? null : hostname
}

function placeOfFolder(dataDir: string): string {
  const folder = realpathSync(dataDir)
  // A copied folder has another inode even where it is mounted at the same path.
  const { ino } = statSync(join(folder, 'postgres'), { bigint: true })
  return `folder:${digest([machineId(), folder, ino])}`
}

function machineId(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim()
  } catch {
    return ''
  }
}

async function placeOnServer(db: Db | Tx): Promise<string> {
  const { rows } = await db.execute<{ database: string; mayAsk: boolean }>(
    sql`select oid::text as database, has_function_privilege('pg_control_system()', 'execute') as "mayAsk" from pg_database where datname = current_database()`,
  )
  const { database, mayAsk } = rows[0]!
  if (!mayAsk) return `server:${digest([database])}`
  const system = await db.execute<{ id: string }>(sql`select system_identifier::text as id from pg_control_system()`)
  return `server:${digest([system.rows[0]!.id, database])}`
}

const digest = (parts: unknown[]): string => createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)

/** The row that says whom the database belongs to. */
export async function readOwnership(db: Db | Tx): Promise<Ownership> {
  const [row] = await db.select().from(installation)
  return row!
}

/** Why this installation may not act on that database; null where it may, or where the next start claims it. */
export function heldBecause({ place, address }: Identity, owner: Ownership): Held | null {
  if (owner.restoredAt !== null) return 'restored'
  if (owner.place === null) return null
  if (owner.place !== place) return 'place'
  return owner.address === null || owner.address === address ? null : 'address'
}

/**
 * Claims a database that belongs to no installation yet and adds an address that was not set before. Returns why this installation is held,
 * null where it is live; another installation's row keeps a note of this one.
 */
export async function claim(db: Db, identity: Identity): Promise<Held | null> {
  const { place, address } = identity
  await db
    .update(installation)
    .set({ place, address, liveSince: sql`now()` })
    .where(and(isNull(installation.place), isNull(installation.restoredAt)))
  if (address !== null)
    await db
      .update(installation)
      .set({ address })
      .where(and(eq(installation.place, place), isNull(installation.address)))
  const held = heldBecause(identity, await readOwnership(db))
  if (held === 'place' || held === 'address')
    await db.update(installation).set({ otherAddress: address, otherOpenedAt: sql`now()` })
  return held
}

/** Makes this installation the live one, whatever the database said before. */
export async function declareLive(tx: Tx, { place, address }: Identity): Promise<void> {
  await tx
    .update(installation)
    .set({ place, address, liveSince: sql`now()`, restoredAt: null, otherAddress: null, otherOpenedAt: null })
}
