import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineDrift, users } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins, notifyLines } from '#server/live/notify.ts'
import { type countLineDrift, type MendableKind, mendableKind } from '../../admin-contract.ts'
import { sellsPeriods } from '../../rules.ts'
import type { Act } from '../admin-decisions.ts'
import { driftPages, linePages } from '../affected-endpoints.ts'
import { makeThemOurs } from './resolve.ts'

const shownCustomers = 8
const open = (kinds: readonly MendableKind[]) => and(sql`not ${lineDrift.kept}`, inArray(lineDrift.kind, [...kinds]))

/** What mending everything together would do: how many differences of each kind, for whom, and whether it costs credits. */
export async function countDrift(db: Db): Promise<Output<typeof countLineDrift>> {
  const isMendable = open(mendableKind.options)
  const [counts, people, { kind }] = await Promise.all([
    db
      .select({ kind: lineDrift.kind, count: sql<number>`count(*)::int` })
      .from(lineDrift)
      .where(isMendable)
      .groupBy(lineDrift.kind)
      .orderBy(lineDrift.kind),
    db
      .selectDistinct({ username: users.username })
      .from(lineDrift)
      .innerJoin(users, eq(users.id, lineDrift.userId))
      .where(isMendable)
      .orderBy(asc(users.username))
      .limit(shownCustomers),
    settings.read(db, 'provisioning'),
  ])
  return {
    counts: counts as { kind: MendableKind; count: number }[],
    customers: people.map(({ username }) => username),
    most: limits.lines.mendedAtOnce,
    costsCredits: sellsPeriods(kind),
  }
}

/**
 * Makes the panel as our records say for all differences of these kinds, kind by kind and at most `limits.lines.mendedAtOnce` in one transaction:
 * a job for each line, which the worker does as always. Throws 409 when there are not as many differences as `expected`.
 */
export async function mendAllDrift(
  db: Db,
  { kinds, expected }: { kinds: MendableKind[]; expected: number },
  act: Act,
): Promise<{ queued: number; left: number }> {
  return inTransaction(db, async (tx) => {
    const chosen = await tx
      .select()
      .from(lineDrift)
      .where(open(kinds))
      .orderBy(asc(lineDrift.kind), asc(lineDrift.id))
      .limit(limits.lines.mendedAtOnce)
      .for('update')
    const total = await tx.$count(lineDrift, open(kinds))
    if (total !== expected)
      return conflict(
        'stale',
        'The differences have changed since you looked. Nothing was repaired; please look again.',
      )
    for (const drift of chosen) await makeThemOurs(tx, drift)
    await tx.delete(lineDrift).where(
      inArray(
        lineDrift.id,
        chosen.map(({ id }) => id),
      ),
    )
    const mended = Object.fromEntries(kinds.map((kind) => [kind, chosen.filter((drift) => drift.kind === kind).length]))
    await audit(tx, {
      actorId: act.admin.id,
      action: 'line.mend_all',
      targetType: 'line',
      targetId: 'panel',
      after: { mended },
      requestId: act.requestId,
    })
    await notifyLines(tx)
    await notifyAdmins(tx, [...driftPages, ...linePages])
    return { queued: chosen.length, left: total - chosen.length }
  })
}
