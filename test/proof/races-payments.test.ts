import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activations, invoices, paymentAllocations, paymentDecisions } from '#server/db/tables.ts'
import {
  countByStatus,
  orderSteps,
  type RaceUser,
  raceRounds,
  raceTimeoutMs,
  repeatRace,
  startTwoApps,
  type TwoApps,
} from '../harness/two-apps.ts'

// Races of fifty concurrent decisions about payments, at two processes on one database.
let apps: TwoApps
let trade: ReturnType<typeof orderSteps>
let admins: RaceUser[]
beforeAll(async () => {
  apps = await startTwoApps()
  trade = orderSteps(apps)
  admins = [await apps.newUser({ role: 'admin' }), await apps.newUser({ role: 'admin' })]
}, 120_000)
afterAll(() => apps.stop(), 60_000)

type Row = { id: number; version: number; status: string; openCents: number }
const admin = (index: number) => admins[index % 2]!
async function recorded(invoiceNumber: string, amount: number): Promise<Row> {
  const { status, body } = await admin(0).sendWithRetry(apps.at(0), 'POST', '/api/admin/payments', {
    ...{ requestKey: randomUUID(), rail: 'venmo', amount, note: invoiceNumber, payerName: 'Dana Whitfield' },
    ...{ payerHandle: `@${randomUUID().slice(0, 8)}`, paidAt: new Date().toISOString(), providerReference: '' },
  })
  expect(status).toBe(200)
  return body as unknown as Row
}
const decide = (who: RaceUser, url: string, { id, version }: Row, decision: object) =>
  who.sendWithRetry(url, 'POST', `/api/admin/payments/${id}/decision`, { version, ...decision })
const undo = (who: RaceUser, url: string, { id, version }: Row) =>
  who.sendWithRetry(url, 'POST', `/api/admin/payments/${id}/undo`, { version })
const succeeded = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length
const activationsOf = (invoiceId: number) => apps.db.$count(activations, eq(activations.invoiceId, invoiceId))
const effective = (paymentIds: number[]) =>
  apps.db.$count(
    paymentDecisions,
    and(inArray(paymentDecisions.paymentId, paymentIds), eq(paymentDecisions.action, 'confirm')),
  )

test(
  'P1: two administrators confirm, credit and refuse one payment, and only one decision takes effect',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const invoice = await trade.submitted(await apps.newUser())
      const row = await recorded(invoice.invoiceNumber, invoice.amount)
      const choices = [{ action: 'confirm' }, { action: 'credit' }, { action: 'not_ours', reason: 'Not ours' }]
      const answers = await apps.sendFifty((url, i) =>
        decide(admin(i), url, row, { ...choices[i % 3], invoiceIds: i % 3 === 2 ? [] : [invoice.id] }),
      )
      expect(succeeded(answers)).toBe(1)
      expect(countByStatus(answers)).toEqual({ 200: 1, 409: 49 })
      expect(await apps.db.$count(paymentDecisions, eq(paymentDecisions.paymentId, row.id))).toBe(1)
    })
  },
  raceTimeoutMs(),
)

test(
  'P2: two payments for one order pay it once',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const invoice = await trade.submitted(await apps.newUser())
      const rows = [
        await recorded(invoice.invoiceNumber, invoice.amount),
        await recorded(invoice.invoiceNumber, invoice.amount),
      ]
      const confirm = { action: 'confirm', invoiceIds: [invoice.id] }
      const answers = await apps.sendFifty((url, i) => decide(admin(i >> 1), url, rows[i % 2]!, confirm))
      expect(succeeded(answers)).toBe(1)
      expect(await activationsOf(invoice.id)).toBe(1)
      expect(await effective(rows.map(({ id }) => id))).toBe(1)
    })
  },
  raceTimeoutMs(),
)

test(
  'P3: a confirmed payment is undone once, and its order is open again with nothing allocated',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const invoice = await trade.submitted(await apps.newUser())
      const row = await recorded(invoice.invoiceNumber, invoice.amount)
      const { body } = await decide(admin(0), apps.at(0), row, { action: 'confirm', invoiceIds: [invoice.id] })
      const done = body as unknown as Row
      expect(done.status).toBe('done')
      const answers = await apps.sendFifty((url, i) => undo(admin(i), url, done))
      expect(countByStatus(answers)).toEqual({ 200: 1, 409: 49 })
      const [now] = await apps.db.select().from(invoices).where(eq(invoices.id, invoice.id))
      expect(now!.status).toBe('pending')
      const rows = await apps.db
        .select()
        .from(paymentAllocations)
        .where(eq(paymentAllocations.paymentId, row.id))
        .orderBy(paymentAllocations.id)
      expect(rows.map(({ amount }) => amount)).toEqual([invoice.amount, -invoice.amount])
    })
  },
  raceTimeoutMs(),
)

test(
  'P4: an undo, a decision in the invoice list and a second payment leave a consistent state',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const invoice = await trade.submitted(await apps.newUser())
      const row = await recorded(invoice.invoiceNumber, invoice.amount)
      const other = await recorded(invoice.invoiceNumber, invoice.amount)
      const confirm = { action: 'confirm', invoiceIds: [invoice.id] }
      const { body } = await decide(admin(0), apps.at(0), row, confirm)
      const done = body as unknown as Row
      expect(done.status).toBe('done')
      const answers = await apps.sendFifty((url, i) => {
        if (i % 3 === 0) return undo(admin(i), url, done)
        if (i % 3 === 1) return decide(admin(i), url, other, confirm)
        return trade.decide(admin(i), url, invoice.id, i % 2 ? 'paid' : 'cancelled')
      })
      expect(succeeded(answers)).toBeGreaterThan(0)
      const rows = await apps.db.select().from(paymentAllocations).where(eq(paymentAllocations.invoiceId, invoice.id))
      const allocated = rows.reduce((sum, { amount }) => sum + amount, 0)
      const [now] = await apps.db.select().from(invoices).where(eq(invoices.id, invoice.id))
      expect([0, invoice.amount]).toContain(allocated)
      if (allocated > 0) expect(now!.status).toBe('paid')
    })
  },
  raceTimeoutMs(),
)

test(
  'P5: an order that is confirmed manually in the invoice list while its payment is confirmed is paid once',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const invoice = await trade.submitted(buyer)
      const row = await recorded(invoice.invoiceNumber, invoice.amount)
      const answers = await apps.sendFifty((url, i) =>
        i % 2
          ? decide(admin(i), url, row, { action: 'confirm', invoiceIds: [invoice.id] })
          : trade.decide(admin(i), url, invoice.id, 'paid'),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
      expect(await activationsOf(invoice.id)).toBe(1)
      expect((await trade.invoiceOf(invoice.invoiceNumber)).status).toBe('paid')
    })
  },
  raceTimeoutMs(),
)
