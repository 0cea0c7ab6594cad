import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Config } from './config.ts'
import type { Db, Tx } from './db/connect.ts'
import { installation } from './db/tables.ts'

/**
 * Identifies an installation. It is the same for all its processes and different for a copy. `place` identifies the data folder or the database. `address` is
 * the host name in PUBLIC_URL, or null if PUBLIC_URL is not set or contains `localhost` or an IP address.
 */
export type Identity = { place: string; address: string | null }
/**
 * Why an installation is held (must not call panels or send email): its database was restored from a backup, or belongs to an installation with another `place`
 * or `address`.
 */
export type HeldReason = 'restored' | 'place' | 'address'
export type Ownership = typeof installation.$inferSelect

type Settings = Pick<Config, 'databaseUrl' | 'dataDir' | 'publicUrl'>

/**
 * Returns the identity of this installation. With the embedded PostgreSQL, `place` is a hash of the machine and the data folder. With a database server, it is
 * a hash of the cluster and the database, so that all hosts that share a database are one installation.
 */
export async function identityOf(db: Db | Tx, config: Settings): Promise<Identity> {
  const isEmbedded = config.databaseUrl === undefined && existsSync(join(config.dataDir, 'postgres'))
  const place = isEmbedded ? placeOfFolder(config.dataDir) : await placeOnServer(db)
  return { place, address: addressOf(config.publicUrl) }
}

/** Returns the host name of PUBLIC_URL; null for `localhost` and IP addresses, which may differ between the hosts of one installation. */
export function addressOf(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' || hostname.startsWith('[') || /^[\d.]+$/.test(hostname) ? null : hostname
}

function placeOfFolder(dataDir: string): string {
  const folder = realpathSync(dataDir)
  // A copied folder has another inode, even if it is mounted at the same path.
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

/** Reads which installation owns the database. */
export async function readOwnership(db: Db | Tx): Promise<Ownership> {
  const [row] = await db.select().from(installation)
  return row!
}

/** Returns why this installation is held; null if it is not held. It is not held if the database has no owner yet; the next start then claims the database. */
export function heldBecause({ place, address }: Identity, owner: Ownership): HeldReason | null {
  if (owner.restoredAt !== null) return 'restored'
  if (owner.place === null) return null
  if (owner.place !== place) return 'place'
  return owner.address === null || owner.address === address ? null : 'address'
}

/**
 * Claims a database without an owner, and records the address if none was recorded. Returns why this installation is held, or null if it is live. If it is held
 * because of its place or address, its address and the time are recorded, so that the live installation can show them.
 */
export async function claim(db: Db, identity: Identity): Promise<HeldReason | null> {
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

/** Makes this installation the owner of the database. */
export async function declareLive(tx: Tx, { place, address }: Identity): Promise<void> {
  await tx
    .update(installation)
    .set({ place, address, liveSince: sql`now()`, restoredAt: null, otherAddress: null, otherOpenedAt: null })
}
