import { asc, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { channels, inquiries, invoices, reports, trialRequests, users, watchlist } from '#server/db/tables.ts'
import { allJobs } from '../../src/all-jobs.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from './app.ts'
import { createPlan } from './factories.ts'
import { Model } from './model.ts'
import { amountOf, type Invoice, type Plan } from './model-invoice.ts'

/** The app with a clock that tests set, and the records that the model uses. */
export type World = TestApp & {
  admin: SignedIn
  plans: Plan[]
  channelId: number
  pass: (ms: number) => Promise<void>
  now: () => string
}
export type Real = { world: World; customer: SignedIn; referrer: SignedIn }

export async function openWorld(): Promise<World> {
  const app = await buildApp({ clock: true, config: { logLevel: 'error' } })
  const plans: Plan[] = []
  for (const [price, months] of [
    [1_499, 1],
    [4_099, 1],
    [7_799, 3],
    [33_999, 12],
  ] as const)
    plans.push({ ...(await createPlan(app.db, { price, months })), price, months })
  const [channel] = await app.db
    .insert(channels)
    .values({ name: 'Arena One', category: 'sports', logo: 'A' })
    .returning()
  let now = '2027-01-29T10:00:00.000Z'
  await app.clock!.set(now)
  const pass = async (ms: number) => {
    now = new Date(Date.parse(now) + ms).toISOString()
    await app.clock!.set(now)
    // Renews all sessions: session expiry is not tested here.
    await app.db.execute(
      sql`UPDATE sessions SET created_at = now(), last_seen_at = now(), expires_at = now() + interval '30 days'`,
    )
  }
  return { ...app, admin: await app.signInAdmin(), plans, channelId: channel!.id, pass, now: () => now }
}

/** Creates a customer, referred by another new customer, with an empty model. */
export async function startModel(world: World): Promise<{ model: Model; real: Real }> {
  const referrer = await world.signIn()
  const customer = await world.signIn({ referredBy: referrer.user.id })
  return { model: new Model(world.now(), world.plans), real: { world, customer, referrer } }
}

/** Sends a request and returns the status. Throws on any 5xx status but 503. */
export async function send(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  const response = await client.request(path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 500 && response.status !== 503)
    throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return response.status
}

export const runJobs = async ({ db }: World): Promise<void> => {
  for (const job of allJobs(db)) await job.run()
}

/** Copies the random invoice numbers into the model, and compares every row with it. */
export async function compare(model: Model, { world: { db }, customer, referrer }: Real): Promise<void> {
  const { id } = customer.user
  const [rows, [user], [other], trials, reported, watched, inquired] = await Promise.all([
    db.select().from(invoices).where(eq(invoices.userId, id)).orderBy(asc(invoices.id)),
    db.select().from(users).where(eq(users.id, id)),
    db.select().from(users).where(eq(users.id, referrer.user.id)),
    db.select().from(trialRequests).where(eq(trialRequests.userId, id)).orderBy(asc(trialRequests.id)),
    db.$count(reports, eq(reports.userId, id)),
    db.$count(watchlist, eq(watchlist.userId, id)),
    db.$count(inquiries, eq(inquiries.email, customer.user.email)),
  ])
  for (const [index, row] of rows.entries())
    Object.assign(model.invoices[index] ?? {}, { id: row.id, number: row.invoiceNumber })
  for (const [index, trial] of trials.entries()) Object.assign(model.trials[index] ?? {}, { id: trial.id })
  for (const [index, row] of rows.entries()) copyPrices(model, model.invoices[index], row)
  expect(
    rows.map((row) => ({
      ...{ id: row.id, status: row.status, amount: row.amount, plan: row.planId, submitted: row.submittedAt !== null },
      ...{
        discount: row.referralDiscount,
        creditBack: row.creditOnApproval,
        expiresAt: row.expiresAt,
        paidAt: row.paidAt,
      },
    })),
  ).toEqual(
    model.invoices.map((invoice) => ({
      ...{
        id: invoice.id,
        status: invoice.status,
        amount: amountOf(invoice),
        plan: invoice.plan.id,
        submitted: invoice.submitted,
      },
      ...{
        discount: invoice.discount,
        creditBack: invoice.creditBack,
        expiresAt: invoice.expiresAt,
        paidAt: invoice.paidAt,
      },
    })),
  )
  const {
    planId,
    subscriptionStatus: status,
    subscriptionStartDate: start,
    subscriptionEndDate: end,
    accountCredit: credit,
  } = user!
  expect({ planId, status, start, end, credit, bonus: other!.accountCredit }).toEqual({
    ...model.sub,
    credit: model.balance,
    bonus: model.bonus,
  })
  expect(trials.map((trial) => trial.status)).toEqual(model.trials.map((trial) => trial.status))
  const { fullName, role } = user!
  expect({ reports: reported, inquiries: inquired, watched: watched === 1, fullName, role }).toEqual(model.notes)
}

/** Copies the charge and credit of a plan change into the model, after comparing them with the exact values: one cent of rounding per change is allowed. */
function copyPrices(
  model: Model,
  invoice: Invoice | undefined,
  { amount, creditOnApproval }: typeof invoices.$inferSelect,
): void {
  if (!invoice?.priced || !Number.isNaN(invoice.due)) return
  const cents = 1 + model.invoices.filter(({ kind }) => kind === 'plan_change').length
  expect(Math.abs(amount - invoice.priced.charge), `charge ${amount} of ${invoice.priced.charge}`).toBeLessThanOrEqual(
    cents,
  )
  expect(
    Math.abs(creditOnApproval - invoice.priced.credit),
    `credit ${creditOnApproval} of ${invoice.priced.credit}`,
  ).toBeLessThanOrEqual(cents)
  Object.assign(invoice, { due: amount, creditBack: creditOnApproval })
}
