import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { GrantablePermission } from '#kit/permissions.ts'
import type { Db } from '#server/db/connect.ts'
import type { TimelineEntry, TimelineGroup } from '../../admin-timeline-contract.ts'

/** One row of a source. `key` is its position in the source. */
export type SourceRow = { key: string; entry: TimelineEntry }

export interface Reading {
  db: Db
  userId: number
  email: string
  /** The key of the last row read; undefined for the newest rows. */
  below: string | undefined
  limit: number
  /** The filter; undefined for all entries. */
  group: TimelineGroup | undefined
  /** The permissions of the reader. */
  permissions: readonly string[]
}

/** A table with events of a customer, read from new to old by an index. `name` is part of the position in the URL. */
export interface Source {
  name: string
  groups: readonly TimelineGroup[]
  /** Without this permission the source is not read. */
  needs: GrantablePermission
  read: (reading: Reading) => Promise<SourceRow[]>
}

/** Returns the condition for rows below a key that is an id. */
export const belowId = (column: PgColumn, below: string | undefined): SQL | undefined =>
  below === undefined ? undefined : sql`${column} < ${below}::bigint`

/** Returns the key for rows that are sorted by time: the time in microseconds, and the id. */
export const timeKey = (time: PgColumn, id: PgColumn): SQL<string> =>
  sql<string>`(extract(epoch from ${time}) * 1000000)::bigint || '_' || ${id}`

export function belowTime(time: PgColumn, id: PgColumn, below: string | undefined): SQL | undefined {
  if (below === undefined) return undefined
  const [microseconds = '0', lastId = '0'] = below.split('_')
  return sql`(${time}, ${id}) < (timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${lastId}::integer)`
}

/** Returns an entry with the default values that most events use. */
export const entryOf = (
  id: string,
  values: Pick<TimelineEntry, 'at' | 'group' | 'title'> & Partial<TimelineEntry>,
): TimelineEntry => ({ tone: 'plain', detail: null, count: 1, invoiceNumber: null, open: null, ...values, id })
