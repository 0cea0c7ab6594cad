import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { User } from '#features/accounts/contract.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { tiers } from '#features/catalog/rules.ts'
import * as ledger from '#features/referrals/server/ledger.ts'
import * as referrals from '#features/referrals/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { activations, invoices, plans, segments, users } from '#server/db/tables.ts'
import { Passwords } from '#server/session/password.ts'
import { userView } from '#server/session/user-view.ts'

/** The password of every test user. */
export const password = 'correct horse'
const passwordHash = new Passwords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } }).hash(password)

const serial = () => randomBytes(5).toString('hex')

let invoiceCount = randomBytes(3).readUIntBE(0, 3)
/** Invoice numbers are counted, because with random numbers of this length a thousand invoices would contain a duplicate in one of thirty runs. */
function nextInvoiceNumber(): string {
  invoiceCount = (invoiceCount + 1) % 0x100_0000
  return `ORD-${invoiceCount.toString(16).toUpperCase().padStart(6, '0')}`
}

export type NewUser = Partial<typeof users.$inferInsert> & { credit?: number }
/** Creates a customer. `credit` cents are booked by an administrator, so that the ledger matches the balance. */
export async function createUser(db: Db, { credit = 0, ...overrides }: NewUser = {}): Promise<User> {
  const username = overrides.username ?? `user_${serial()}`
  const values = {
    username,
    email: `${username}@example.org`.toLowerCase(),
    referralCode: referrals.randomReferralCode(),
    passwordHash: await passwordHash,
    strongPassword: true,
    ...overrides,
  }
  const [user] = await db.insert(users).values(values).returning(userView)
  const { id } = user!
  if (overrides.referredBy) await db.transaction((tx) => referrals.recordReferrer(tx, id, overrides.referredBy!))
  if (credit > 0)
    await db.transaction((tx) =>
      ledger.bookCredit(tx, {
        userId: id,
        amount: credit,
        type: 'admin_adjustment',
        description: 'Opening balance',
        createdBy: id,
      }),
    )
  await grantTime(db, id, values)
  return { ...user!, accountCredit: credit }
}

/** Stores the paid time that belongs to the subscription fields of a user, as if an administrator had granted it. */
export async function grantTime(
  db: Db,
  userId: number,
  { planId, subscriptionStatus, subscriptionStartDate, subscriptionEndDate }: NewUser,
): Promise<void> {
  if (!planId || !subscriptionEndDate || (subscriptionStatus !== 'active' && subscriptionStatus !== 'expired')) return
  const [plan] = await db.select().from(plans).where(eq(plans.id, planId))
  const startsAt =
    subscriptionStartDate ?? new Date(Math.min(Date.now(), Date.parse(subscriptionEndDate)) - 86_400_000).toISOString()
  const after = {
    planId,
    status: 'active' as const,
    startDate: startsAt,
    endDate: subscriptionEndDate,
    maxConnections: plan!.connections,
  }
  const [act] = await db
    .insert(activations)
    .values({ userId, kind: 'grant', planId, effectiveAt: startsAt, after })
    .returning()
  const { months, connections, price } = plan!
  const time = {
    startsAt,
    endsAt: subscriptionEndDate,
    periodDays: 30 * months,
    listCents: price,
    paidCents: 0,
    begun: true,
  }
  await db.insert(segments).values({ userId, activationId: act!.id, planId, months, connections, ...time })
}

/** Changes the period of a bought subscription, as if it had been sold with this period. */
export async function setPeriod(db: Db, userId: number, startDate: string, endDate: string): Promise<void> {
  await db
    .update(users)
    .set({ subscriptionStartDate: startDate, subscriptionEndDate: endDate })
    .where(eq(users.id, userId))
  const periodDays = Math.max(1, Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000))
  await db
    .update(segments)
    .set({ startsAt: startDate, endsAt: endDate, periodDays })
    .where(and(eq(segments.userId, userId), isNull(segments.replacedBy)))
}

export type NewPlan = Partial<typeof plans.$inferInsert>
const mostConnections = 100
/** Creates a plan on sale: Little Beast, $15.00, with the lowest free number of connections. When all numbers are in use the plan is hidden. */
export async function createPlan(db: Db, overrides: NewPlan = {}): Promise<Plan> {
  let connections = overrides.connections ?? 1
  for (;;) {
    const [plan] = await db
      .insert(plans)
      .values(
        planOf(
          connections <= mostConnections
            ? { ...overrides, connections }
            : { ...overrides, connections: 1, hidden: true },
        ),
      )
      .onConflictDoNothing()
      .returning()
    if (plan) return plan
    if (overrides.connections) throw new Error(`a plan with ${connections} connections is on sale already`)
    connections = await leastFreeConnections(db, overrides.tier ?? 1)
  }
}

/** The smallest number of connections that no plan on sale in this tier has. */
async function leastFreeConnections(db: Db, tier: number): Promise<number> {
  const { rows } = await db.execute<{ least: number }>(sql`
    select min(n)::int as least from generate_series(1, ${mostConnections + 1}::int) n
    where not exists (select from plans where not hidden and tier = ${tier} and connections = n)`)
  return rows[0]!.least
}

function planOf(overrides: NewPlan): typeof plans.$inferInsert {
  return {
    name: `Little Beast: 1 Connection ${serial()}`,
    tier: 1,
    months: 1,
    connections: 1,
    price: 1_500,
    billing: 'month',
    features: ['HD & 4K Quality'],
    ...overrides,
  }
}

/** Creates a plan in each of the four groups, shortest first. */
export async function createPlans(db: Db): Promise<Plan[]> {
  const made: Plan[] = []
  for (const { tier, name, months, billing } of tiers)
    made.push(await createPlan(db, { name: `${name} ${serial()}`, tier, months, billing, price: 1_500 * months }))
  return made
}

type Invoice = typeof invoices.$inferSelect
export type NewInvoice = Partial<typeof invoices.$inferInsert> & { userId: number }
/** Creates a draft invoice, for a new plan unless `planId` is set. */
export async function createInvoice(db: Db, overrides: NewInvoice): Promise<Invoice> {
  const plan = overrides.planId
    ? (await db.select().from(plans).where(eq(plans.id, overrides.planId)))[0]!
    : await createPlan(db)
  const values = {
    invoiceNumber: nextInvoiceNumber(),
    planId: plan.id,
    planName: plan.name,
    planMonths: plan.months,
    planConnections: plan.connections,
    description: plan.name,
    customerDetails: 'Email: customer@example.org',
    amount: plan.price,
    expiresAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    ...overrides,
  }
  const [invoice] = await db.insert(invoices).values(values).returning()
  return invoice!
}
