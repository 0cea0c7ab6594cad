import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { tickets, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotalWhere } from '#server/lists/list-count.ts'
import { containsIndexed, hasId } from '#server/lists/list-search.ts'
import type { AdminTicket, ticketListQuery, ticketSorts } from '../../admin-contract.ts'

const assignee = alias(users, 'assignee')
/** The email address that replies are sent to: the address given in an inquiry, or that of the account. */
export const answerAddress = sql<string>`coalesce(${tickets.email}, ${users.email})`

const adminTickets = (db: Db | Tx) =>
  db
    .select({
      id: tickets.id,
      kind: tickets.kind,
      subject: tickets.subject,
      from: sql<string>`coalesce(${users.username}, ${tickets.name})`,
      email: answerAddress,
      userId: tickets.userId,
      status: tickets.status,
      assigneeId: tickets.assigneeId,
      assignee: assignee.username,
      createdAt: tickets.createdAt,
      lastMessageAt: tickets.lastMessageAt,
      waitingSince: tickets.waitingSince,
      version: tickets.version,
    })
    .from(tickets)
    .leftJoin(users, eq(users.id, tickets.userId))
    .leftJoin(assignee, eq(assignee.id, tickets.assigneeId))

type Query = z.output<typeof ticketListQuery>
const ofAssignee = (id: number | undefined) => (id === undefined ? undefined : sql`head = ${String(id)}`)

/** The list of all tickets. `search` matches a part of the subject, of a message, or of the name or email address of the customer. */
export const ticketList: List<AdminTicket, (typeof ticketSorts)[number], Query> = {
  table: tickets,
  sorts: { lastMessageAt: [tickets.lastMessageAt], status: [tickets.status, tickets.lastMessageAt] },
  where: ({ search, status, assignee: assigneeId }, ofUser) =>
    and(
      search
        ? or(containsIndexed(tickets.search, search), ofUser(tickets.userId), hasId(tickets.id, search))
        : undefined,
      status && eq(tickets.status, status),
      assigneeId === undefined ? undefined : sql`coalesce(${tickets.assigneeId}, 0) = ${assigneeId}`,
    ),
  buckets: {
    lastMessageAt: sortBuckets('tickets', 'lastMessageAt'),
    status: sortBuckets('tickets', 'lastMessageAt', 'status'),
  },
  bucketFilter: ({ search, status, assignee: assigneeId }) =>
    search ? undefined : { list: 'tickets', status, filter: ofAssignee(assigneeId) },
  countedTotal: ({ search, status, assignee: assigneeId }) =>
    search ? undefined : countedTotalWhere('tickets', and(status && sql`status = ${status}`, ofAssignee(assigneeId))),
  rows: (db, ids) => adminTickets(db).where(inArray(tickets.id, ids)),
}

/** Returns one page of all tickets. `search` is matched literally; `#12` finds ticket 12. `assignee` 0 finds tickets without an assignee. */
export const listAllTickets = (db: Db, query: Query): Promise<Page<AdminTicket>> => readPage(db, ticketList, query)

/** Returns a ticket without its messages. Throws 404. */
export async function adminTicket(db: Db | Tx, id: number): Promise<AdminTicket> {
  const [row] = await adminTickets(db).where(eq(tickets.id, id))
  return row ?? notFound('Ticket not found')
}

/** Returns the administrators whom a ticket can be assigned to, sorted by username. */
export const listAssignees = (db: Db): Promise<{ id: number; username: string }[]> =>
  db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(eq(users.role, 'admin'))
    .orderBy(asc(users.username))
    .limit(100)
