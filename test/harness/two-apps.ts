import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { invoices, users } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { openSession } from '#server/session/session.ts'
import { createUser, type NewUser } from './factories.ts'
import { type Answer, type HttpPerson, personCalled } from './http-person.ts'
import { expectBooksToBalance } from './invariants.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'
import { rounds } from './scale.ts'
import { silentLog } from './silent-log.ts'

/** How often each race is run; more with RACE_ROUNDS. */
export const raceRounds = rounds('RACE_ROUNDS', { short: 1, full: 20 })
/** The patience of a test that runs a race so often, in milliseconds. */
export const patience = (times = raceRounds) => 60_000 + times * 15_000

export type Person = HttpPerson & { id: number }
export type Plan = { id: number; months: number; connections: number; price: number }
export type TwoApps = Database & {
  plans: Plan[]
  plan: (months: number, connections: number) => number
  /** Where one of the two processes is. */
  at: (index: number) => string
  person: (as?: NewUser) => Promise<Person>
  /** Fifty requests at once, spread over both processes; whatever they ask, none of them may fail. */
  fifty: (send: (url: string, index: number) => Promise<Answer>) => Promise<Answer[]>
  stop: () => Promise<void>
}

/** Two processes of the app on one database, which the test sees too. */
export async function startTwoApps(): Promise<TwoApps> {
  const data = dataFolder()
  const env = {
    ADMIN_USERNAME: 'first',
    ADMIN_PASSWORD: 'races-only-here',
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'error',
    SEED: 'sample',
  }
  const apps: RunningApp[] = []
  for (let count = 0; count < 2; count++) apps.push(await runApp({ dataDir: data.path, env }))
  const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  const database = connect(embedded.connection, { log: silentLog, patienceMs: 15_000 })
  const at = (index: number) => apps[index % apps.length]!.url
  const plans = (await (await fetch(`${at(0)}/api/plans`)).json()) as Plan[]
  return {
    ...database,
    plans,
    plan: (months, connections) => plans.find((each) => each.months === months && each.connections === connections)!.id,
    at,
    person: async (as = {}) => {
      const user = await createUser(database.db, as)
      const token = await openSession(database.db, user, { ip: '127.0.0.1', userAgent: 'test' })
      return { ...personCalled(user.username, `sid=${token}`), id: user.id }
    },
    fifty: async (send) => {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(at(index), index)))
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      return answers
    },
    stop: async () => {
      for (const app of apps) await app.stop()
      await database.close()
      await embedded.stop()
      data.remove()
    },
  }
}

/** Runs a race `times` times and checks all invariants after each. */
export async function race(
  { db }: Pick<TwoApps, 'db'>,
  times: number,
  round: (number: number) => Promise<void>,
): Promise<void> {
  for (let number = 0; number < times; number++) {
    await round(number)
    await expectBooksToBalance(db)
  }
}

export const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
/** How many answers there are of each status. */
export const counted = (answers: Answer[]) =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(statuses(answers), (status) => status),
      ([status, all]) => [status, all.length],
    ),
  )

/** What buyers do one after the other, to get to where a race begins. */
export function tradeOn({ at, db, plan }: TwoApps) {
  const draft = async (buyer: Person, planId: number) => {
    const { body } = await buyer.insist(at(0), 'POST', '/api/create-invoice', { planId, email: 'buyer@example.org' })
    return String(body.invoiceNumber)
  }
  const submit = (
    buyer: Person,
    url: string,
    planId: number,
    invoiceNumber: string,
    confirmationCode = `PAID-${invoiceNumber}`,
  ) =>
    buyer.insist(url, 'POST', '/api/submit-payment', {
      planId,
      paymentMethod: 'venmo',
      confirmationCode,
      invoiceNumber,
    })
  const invoiceOf = async (invoiceNumber: string) =>
    (await db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
  const userOf = async ({ id }: { id: number }) => (await db.select().from(users).where(eq(users.id, id)))[0]!
  const decide = (admin: Person, url: string, invoiceId: number, status: 'paid' | 'pending' | 'cancelled') =>
    admin.insist(url, 'PUT', `/api/admin/invoices/${invoiceId}`, { status })
  /** A submitted invoice that waits to be confirmed. */
  const submitted = async (buyer: Person, planId = plan(1, 1)) => {
    const invoiceNumber = await draft(buyer, planId)
    expect(await submit(buyer, at(1), planId, invoiceNumber)).toMatchObject({ status: 200 })
    return invoiceOf(invoiceNumber)
  }
  /** Has bought a plan. */
  const subscribe = async (buyer: Person, admin: Person) => {
    const invoice = await submitted(buyer)
    expect(await decide(admin, at(0), invoice.id, 'paid')).toMatchObject({ status: 200 })
    return invoiceOf(invoice.invoiceNumber)
  }
  return { draft, submit, submitted, subscribe, decide, invoiceOf, userOf }
}
