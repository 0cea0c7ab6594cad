import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { Reader } from '#server/session/session.ts'
import type { Timeline, TimelineEntry, TimelineGroup } from '../../admin-timeline-contract.ts'
import { addEntry, isSameEvent } from '../../timeline-rules.ts'
import { auditSource } from './audit-source.ts'
import { readComingUp } from './coming-up.ts'
import { countEvents } from './count-events.ts'
import { moneySources } from './money-sources.ts'
import { otherSources } from './other-sources.ts'
import { entryOf, type Source, type SourceRow } from './source.ts'

const pageSize = 30
/** How many rows beyond the page are read, because they may be combined with its last entries. */
const foldableRows = 10

/** The creation of the account, which is the oldest event. */
const registration: Source = {
  name: 'account',
  groups: ['account'],
  needs: 'customers.read',
  read: async ({ db, userId, below }) => {
    if (below === '0') return []
    const [user] = await db.select({ at: users.createdAt }).from(users).where(eq(users.id, userId))
    return user
      ? [{ key: '0', entry: entryOf('account', { at: user.at, group: 'account', title: 'Account created' }) }]
      : []
  },
}
const sources: Source[] = [auditSource, ...moneySources, ...otherSources, registration]

type Head = { name: string; rows: SourceRow[]; read: number; last: string }
const limit = pageSize + foldableRows

/**
 * Returns one page of a customer's timeline, newest first. `before` is the position where the previous page ended. The first page also has the upcoming events
 * and the number of events. Each source is read from its own position, so that nothing is lost or shown twice when rows are added in between. Events that the
 * reader may not see are left out. Throws 404 for an unknown user.
 */
export async function readTimeline(
  db: Db,
  userId: number,
  { filter, before }: { filter?: TimelineGroup | undefined; before?: string | undefined },
  { permissions }: Reader,
): Promise<Timeline> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user) return notFound('User not found')
  const from = parsePosition(before)
  const isFirst = before === undefined
  const [heads, comingUp, counts] = await Promise.all([
    Promise.all(
      sources
        .filter(({ groups, needs }) => (!filter || groups.includes(filter)) && permissions.includes(needs))
        .map(async ({ name, read }): Promise<Head> => {
          const below = from.get(name)
          const rows = await read({ db, userId, email: user.email, below, limit, group: filter, permissions })
          // A source without an entry on this page keeps its position: rows added later belong to the first page.
          return { name, rows, read: 0, last: below ?? keyAbove(rows[0]) }
        }),
    ),
    isFirst && !filter ? readComingUp(db, userId, permissions) : [],
    isFirst ? countEvents(db, userId, user.email, permissions) : null,
  ])
  return { ...merge(heads), comingUp, counts }
}

/** Repeatedly takes the newest row of all sources, until the page is full. */
function merge(heads: readonly Head[]): Pick<Timeline, 'entries' | 'next'> {
  const entries: TimelineEntry[] = []
  for (let head = newestOf(heads); head; head = newestOf(heads)) {
    const { key, entry } = head.rows[head.read]!
    if (entries.length >= pageSize && !entries.some((earlier) => isSameEvent(earlier, entry))) break
    addEntry(entries, entry)
    head.last = key
    head.read++
    // The next rows of this source have not been read, so no older rows may be taken from the other sources.
    if (head.read === limit) break
  }
  const isMore = heads.some(({ rows, read }) => read < rows.length || rows.length === limit)
  return { entries, next: isMore ? heads.map(({ name, last }) => `${name}-${last}`).join('.') : null }
}

/** Returns the source whose next row is the newest; undefined when all rows are read. */
function newestOf(heads: readonly Head[]): Head | undefined {
  let newest: Head | undefined
  for (const head of heads) {
    const at = head.rows[head.read]?.entry.at
    if (at !== undefined && (!newest || at > newest.rows[newest.read]!.entry.at)) newest = head
  }
  return newest
}

/** Returns the position just above a row, so that reading from this position starts with the row; `0` without a row. */
function keyAbove(row: SourceRow | undefined): string {
  const [first = '0', id] = row?.key.split('_') ?? []
  if (!row) return '0'
  return id === undefined ? String(Number(first) + 1) : `${first}_${Number(id) + 1}`
}

const parsePosition = (position: string | undefined): Map<string, string> =>
  new Map(position?.split('.').map((part) => part.split('-', 2) as [string, string]))
