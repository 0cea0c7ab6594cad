import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { invoices, users } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { openSession } from '#server/session/session.ts'
import { createUser, type NewUser } from './factories.ts'
import { type HttpResult, type HttpUser, httpUser } from './http-user.ts'
import { expectInvariants } from './invariants.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'
import { roundCount } from './scale.ts'
import { silentLog } from './silent-log.ts'

/** The number of times that each race runs. RACE_ROUNDS sets it. */
export const raceRounds = roundCount('RACE_ROUNDS', { short: 1, full: 20 })
/** The timeout of a test that runs `times` races, in milliseconds. */
export const raceTimeoutMs = (times = raceRounds) => 60_000 + times * 15_000

export type RaceUser = HttpUser & { id: number }
export type Plan = { id: number; months: number; connections: number; price: number }
export type TwoApps = Database & {
  plans: Plan[]
  plan: (months: number, connections: number) => number
  /** Returns the URL of one of the two processes. */
  at: (index: number) => string
  newUser: (as?: NewUser) => Promise<RaceUser>
  /** Sends fifty concurrent requests, half to each process. None may get a 5xx response. */
  sendFifty: (send: (url: string, index: number) => Promise<HttpResult>) => Promise<HttpResult[]>
  stop: () => Promise<void>
}

/** Starts two app processes on one database, to which the test connects too. */
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
  const database = connect(embedded.connection, { log: silentLog, connectTimeoutMs: 15_000 })
  const at = (index: number) => apps[index % apps.length]!.url
  const plans = (await (await fetch(`${at(0)}/api/plans`)).json()) as Plan[]
  return {
    ...database,
    plans,
    plan: (months, connections) => plans.find((each) => each.months === months && each.connections === connections)!.id,
    at,
    newUser: async (as = {}) => {
      const user = await createUser(database.db, as)
      const token = await openSession(database.db, user, { ip: '127.0.0.1', userAgent: 'test' })
      return { ...httpUser(user.username, `sid=${token}`), id: user.id }
    },
    sendFifty: async (send) => {
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
export async function repeatRace(
  { db }: Pick<TwoApps, 'db'>,
  times: number,
  round: (number: number) => Promise<void>,
): Promise<void> {
  for (let number = 0; number < times; number++) {
    await round(number)
    await expectInvariants(db)
  }
}

export const statuses = (answers: HttpResult[]) => answers.map(({ status }) => status)
/** Returns the number of responses by status. */
export const countByStatus = (answers: HttpResult[]) =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(statuses(answers), (status) => status),
      ([status, all]) => [status, all.length],
    ),
  )

/** Returns the steps that bring a buyer to the state in which a race begins. */
export function orderSteps({ at, db, plan }: TwoApps) {
  const draft = async (buyer: RaceUser, planId: number) => {
    const { body } = await buyer.sendWithRetry(at(0), 'POST', '/api/create-invoice', {
      planId,
      email: 'buyer@example.org',
    })
    return String(body.invoiceNumber)
  }
  const submit = (
    buyer: RaceUser,
    url: string,
    planId: number,
    invoiceNumber: string,
    confirmationCode = `PAID-${invoiceNumber}`,
  ) =>
    buyer.sendWithRetry(url, 'POST', '/api/submit-payment', {
      planId,
      paymentMethod: 'venmo',
      confirmationCode,
      invoiceNumber,
    })
  const invoiceOf = async (invoiceNumber: string) =>
    (await db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
  const userOf = async ({ id }: { id: number }) => (await db.select().from(users).where(eq(users.id, id)))[0]!
  const decide = (admin: RaceUser, url: string, invoiceId: number, status: 'paid' | 'pending' | 'cancelled') =>
    admin.sendWithRetry(url, 'PUT', `/api/admin/invoices/${invoiceId}`, { status })
  /** Returns an invoice with a submitted payment that is not confirmed yet. */
  const submitted = async (buyer: RaceUser, planId = plan(1, 1)) => {
    const invoiceNumber = await draft(buyer, planId)
    expect(await submit(buyer, at(1), planId, invoiceNumber)).toMatchObject({ status: 200 })
    return invoiceOf(invoiceNumber)
  }
  /** Buys a plan and has the payment confirmed. Returns the invoice. */
  const subscribe = async (buyer: RaceUser, admin: RaceUser) => {
    const invoice = await submitted(buyer)
    expect(await decide(admin, at(0), invoice.id, 'paid')).toMatchObject({ status: 200 })
    return invoiceOf(invoice.invoiceNumber)
  }
  return { draft, submit, submitted, subscribe, decide, invoiceOf, userOf }
}
