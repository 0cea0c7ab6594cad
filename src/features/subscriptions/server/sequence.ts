import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { type Params, statement } from '#server/db/statement.ts'
import { activations, invoices, segments, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { SubscriptionState } from '../rules.ts'
import type { Schedule, SequenceSegment } from './paid-time/reschedule-purchases.ts'
import type { NewSegment, SequenceChange } from './paid-time/segment.ts'

/** A customer's segments in force, and the current time of the database. */
export type Sequence = { now: Instant; segments: (SequenceSegment & { invoiceNumber: string | null })[] }

const segmentColumns = {
  id: segments.id,
  planId: segments.planId,
  months: segments.months,
  connections: segments.connections,
  startsAt: segments.startsAt,
  endsAt: segments.endsAt,
  periodDays: segments.periodDays,
  listCents: segments.listCents,
  paidCents: segments.paidCents,
  closed: segments.closed,
  withdrawn: segments.withdrawn,
}
const row = {
  ...segmentColumns,
  activationId: segments.activationId,
  kind: activations.kind,
  effectiveAt: activations.effectiveAt,
  invoiceNumber: invoices.invoiceNumber,
}
const readRows = statement('sequence', (db, { userId }: Params<{ userId: number }>) =>
  db
    .select({ now: sql<Instant>`now()`.mapWith(users.createdAt), segment: row })
    .from(users)
    .leftJoin(segments, and(eq(segments.userId, users.id), isNull(segments.replacedBy)))
    .leftJoin(activations, eq(activations.id, segments.activationId))
    .leftJoin(invoices, eq(invoices.id, activations.invoiceId))
    .where(eq(users.id, userId))
    .orderBy(segments.startsAt),
)

/** Reads the segments of a customer. The caller holds the customer's row lock if it changes them. Throws 404 for an unknown user. */
export async function readSequence(db: Db | Tx, userId: number): Promise<Sequence> {
  const rows = await readRows(db, { userId })
  const [first] = rows
  if (!first) return notFound('User not found')
  return {
    now: first.now,
    segments: rows.flatMap(({ segment }) => (segment?.id == null ? [] : [segment as Sequence['segments'][number]])),
  }
}

/** The part of a sequence that a purchase needs: the segments without data of their activations. */
export type SegmentSequence = { now: Instant; segments: (NewSegment & { id: number })[] }
const readSegmentRows = statement('purchase_base', (db, { userId }: Params<{ userId: number }>) =>
  db
    .select({ now: sql<Instant>`now()`.mapWith(users.createdAt), segment: segmentColumns })
    .from(users)
    .leftJoin(segments, and(eq(segments.userId, users.id), isNull(segments.replacedBy)))
    .where(eq(users.id, userId))
    .orderBy(segments.startsAt),
)

/** Reads the segments of a customer like `readSequence`, but without data of their activations. */
export async function readSegments(tx: Tx, userId: number): Promise<SegmentSequence> {
  const rows = await readSegmentRows(tx, { userId })
  const [first] = rows
  if (!first) return notFound('User not found')
  return {
    now: first.now,
    segments: rows.flatMap(({ segment }) =>
      segment?.id == null ? [] : [segment as SegmentSequence['segments'][number]],
    ),
  }
}

type NewActivation = {
  userId: number
  invoiceId: number | null
  kind: 'purchase' | 'plan_change' | 'grant'
  planId: number | null
  effectiveAt: Instant
  actorId: number | null
}

/**
 * Inserts an activation with its new segments, marks the segments it replaces, and updates the customer's row to `after`. Returns the activation id.
 * The caller holds the customer's row lock and has computed `after` from the same sequence.
 */
export async function insertActivation(
  tx: Tx,
  act: NewActivation,
  { replaced, created }: SequenceChange,
  after: SubscriptionState,
): Promise<number> {
  const [made] = await insertActivationRows(tx, {
    ...act,
    ...after,
    planOf: act.planId,
    after: JSON.stringify(after),
    created: JSON.stringify(created.map(toRow)),
  })
  if (replaced.length > 0) await tx.update(segments).set({ replacedBy: made!.id }).where(inArray(segments.id, replaced))
  return made!.id
}

/** Stores the new dates of purchases after another activation was reversed. */
export async function reschedule(tx: Tx, schedules: Schedule[]): Promise<void> {
  for (const { id, ...dates } of schedules)
    await tx
      .update(segments)
      .set({ ...dates, begun: sql`${dates.startsAt}::timestamptz <= now()` })
      .where(eq(segments.id, id))
}

/** Writes the subscription to the customer's row. The database clock decides whether it has expired. */
export const writeState = (tx: Tx, userId: number, state: SubscriptionState) =>
  tx.update(users).set(columnsFor(state)).where(eq(users.id, userId))

const columnsFor = (state: Record<keyof SubscriptionState, unknown>) => ({
  planId: sql`${state.planId}::int`,
  subscriptionStatus: sql`case when ${state.status}::text = 'active' and ${state.endDate}::timestamptz <= now() then 'expired' else ${state.status}::text end`,
  subscriptionStartDate: sql`${state.startDate}::timestamptz`,
  subscriptionEndDate: sql`${state.endDate}::timestamptz`,
  iptvMaxConnections: sql`${state.maxConnections}::int`,
})

const toRow = ({
  planId,
  months,
  connections,
  startsAt,
  endsAt,
  periodDays,
  listCents,
  paidCents,
  closed,
  withdrawn,
}: NewSegment) => ({
  ...{ plan_id: planId, months, connections, starts_at: startsAt, ends_at: endsAt },
  ...{ period_days: periodDays, list_cents: listCents, paid_cents: paidCents, closed, withdrawn },
})

type InsertValues = NewActivation &
  Omit<SubscriptionState, 'planId'> & { planOf: number | null; planId: number | null; after: string; created: string }
/** Writes the activation, its segments and the customer's row in one statement. */
const insertActivationRows = statement('act_with_segments', (db: Db | Tx, params: Params<InsertValues>) => {
  const shown = db.$with('shown').as(db.update(users).set(columnsFor(params)).where(eq(users.id, params.userId)))
  const made = db.$with('made').as(
    db
      .insert(activations)
      .values({
        userId: params.userId,
        invoiceId: params.invoiceId,
        kind: params.kind,
        planId: params.planOf,
        effectiveAt: params.effectiveAt,
        after: sql`${params.after}::jsonb`,
        createdBy: params.actorId,
      })
      .returning({ id: activations.id }),
  )
  const rows = db.$with('rows', {}).as(
    sql`insert into segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, closed, withdrawn, begun)
      select ${params.userId}, made.id, row.plan_id, row.months, row.connections, row.starts_at, row.ends_at, row.period_days, row.list_cents, row.paid_cents,
        row.closed, row.withdrawn, row.starts_at <= now()
      from made, jsonb_to_recordset(${params.created}::jsonb) as row(plan_id int, months int, connections int, starts_at timestamptz, ends_at timestamptz,
        period_days int, list_cents int, paid_cents int, closed boolean, withdrawn boolean)`,
  )
  return db.with(shown, made, rows).select().from(made)
})

/** For queries of `users`: a string that identifies the segments remaining at `at`. It changes whenever one of these segments changes. */
export const fingerprintAt = (at: SQL): SQL<string | null> =>
  sql<
    string | null
  >`(select string_agg(concat_ws(':', s.id, (extract(epoch from s.starts_at) * 1000)::bigint, (extract(epoch from s.ends_at) * 1000)::bigint), ',' order by s.starts_at)
    from segments s where s.user_id = users.id and s.replaced_by is null and not s.withdrawn and s.ends_at > ${at})`
