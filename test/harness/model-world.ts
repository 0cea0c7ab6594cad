import { asc, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { channels, inquiries, invoices, reports, trialRequests, users, watchlist } from '#server/db/tables.ts'
import { allJobs } from '../../src/all-jobs.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from './app.ts'
import { createPlan } from './factories.ts'
import { Book, type Plan } from './model-book.ts'

/** The product with a clock to be set, and what it takes to compare it with the book. */
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

/** A new customer, referred by a new one, with an empty book. */
export async function begin(world: World): Promise<{ model: Book; real: Real }> {
  const referrer = await world.signIn()
  const customer = await world.signIn({ referredBy: referrer.user.id })
  return { model: new Book(world.now(), world.plans), real: { world, customer, referrer } }
}

/** The status of an answer; whatever is refused says why, and nothing fails. */
export async function send(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  const said = await client.request(path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await said.text()
  if (said.status >= 500 && said.status !== 503) throw new Error(`${method} ${path}: ${said.status} ${text}`)
  return said.status
}

export const runJobs = async ({ db }: World): Promise<void> => {
  for (const job of allJobs(db)) await job.run()
}

/** Learns the numbers the product drew, and finds every row as the book has it. */
export async function compare(book: Book, { world: { db }, customer, referrer }: Real): Promise<void> {
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
    Object.assign(book.items[index] ?? {}, { id: row.id, number: row.invoiceNumber })
  for (const [index, trial] of trials.entries()) Object.assign(book.trials[index] ?? {}, { id: trial.id })
  for (const [index, row] of rows.entries()) learn(book, book.items[index], row)
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
    book.items.map((item) => ({
      ...{ id: item.id, status: item.status, amount: book.amount(item), plan: item.plan.id, submitted: item.submitted },
      ...{ discount: item.discount, creditBack: item.creditBack, expiresAt: item.expiresAt, paidAt: item.paidAt },
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
    ...book.sub,
    credit: book.balance,
    bonus: book.bonus,
  })
  expect(trials.map((trial) => trial.status)).toEqual(book.trials.map((trial) => trial.status))
  const { fullName, role } = user!
  expect({ reports: reported, inquiries: inquired, watched: watched === 1, fullName, role }).toEqual(book.notes)
}

/** Takes over what a change of plan costs and gives, once it agrees with the ideal but for rounding: a cent for each change before it. */
function learn(
  book: Book,
  item: Book['items'][number] | undefined,
  { amount, creditOnApproval }: typeof invoices.$inferSelect,
): void {
  if (!item?.priced || !Number.isNaN(item.due)) return
  const cents = 1 + book.items.filter(({ kind }) => kind === 'plan_change').length
  expect(Math.abs(amount - item.priced.charge), `charge ${amount} of ${item.priced.charge}`).toBeLessThanOrEqual(cents)
  expect(
    Math.abs(creditOnApproval - item.priced.credit),
    `credit ${creditOnApproval} of ${item.priced.credit}`,
  ).toBeLessThanOrEqual(cents)
  Object.assign(item, { due: amount, creditBack: creditOnApproval })
}
