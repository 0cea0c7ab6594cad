import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import type { Search } from './profit-world.ts'

export type PaidPeriod = { planId: number; from: string; to: string }

const dayMs = 86_400_000
const longest: Record<number, number> = { 1: 31, 3: 92, 6: 184, 12: 366 }
const shortest: Record<number, number> = { 1: 28, 3: 89, 6: 181, 12: 365 }

/** Returns the remaining periods of some customers, with the plan of each. */
export async function timeLeft(tx: Tx, userIds: number[]): Promise<PaidPeriod[]> {
  const { rows } = await tx.execute<PaidPeriod>(sql`
    SELECT plan_id AS "planId", greatest(starts_at, now()) AS from, ends_at AS to FROM segments
    WHERE user_id IN ${userIds} AND replaced_by IS NULL AND NOT withdrawn AND ends_at > now()`)
  return rows
}

/** Returns a lower and an upper bound of a period's value in cents, from all prices at which its plan was sold. Uses no formula of the product. */
export function bounds(
  { plans, prices }: Pick<Search, 'plans' | 'prices'>,
  { planId, from, to }: PaidPeriod,
  now: string,
): { below: number; above: number } {
  const { months } = plans.find(({ id }) => id === planId)!
  const days = (Date.parse(to) - Math.max(Date.parse(from), Date.parse(now))) / dayMs
  const { lowest, highest } = prices.get(planId)!
  return {
    below: (lowest * Math.floor(days)) / longest[months]!,
    above: (highest * Math.ceil(days + 1)) / shortest[months]!,
  }
}

export type Gains = {
  /** Credit plus the value of the remaining time, minus cash paid. */
  profit: number
  /** Legitimate benefits: discounts, booked bonuses and grants. */
  entitled: number
  credit: number
  /** The highest legitimate credit: cash paid and bonuses. */
  earned: number
}

/** Sums up assets and payments of both accounts, from database rows only. */
export async function wealthOf(search: Search, now: string): Promise<Gains> {
  const ids = [search.customer.id, search.referrer.id]
  const { rows } = await search.tx.execute<{ cash: number; discounts: number; bonuses: number }>(sql`
    SELECT coalesce(sum(amount) FILTER (WHERE status = 'paid'), 0)::int AS cash, coalesce(sum(referral_discount) FILTER (WHERE status = 'paid'), 0)::int AS discounts,
      (SELECT coalesce(sum(amount), 0)::int FROM credit_transactions WHERE user_id IN ${ids} AND type = 'referral_bonus') AS bonuses
    FROM invoices WHERE user_id IN ${ids}`)
  const { cash, discounts, bonuses } = rows[0]!
  const owners = await search.tx.select({ credit: users.accountCredit }).from(users).where(inArray(users.id, ids))
  const credit = owners.reduce((cents, owner) => cents + owner.credit, 0)
  const time = (await timeLeft(search.tx, ids)).reduce(
    (cents, stretch) => cents + bounds(search, stretch, now).below,
    0,
  )
  return {
    profit: credit + time - cash,
    entitled: discounts + bonuses + search.granted,
    credit,
    earned: cash + bonuses,
  }
}
