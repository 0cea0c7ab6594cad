import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  activations,
  creditNotes,
  creditTransactions,
  invoices,
  mails,
  referralClaims,
  refundRequests,
} from '#server/db/tables.ts'
import {
  countByStatus,
  orderSteps,
  type RaceUser,
  raceRounds,
  raceTimeoutMs,
  repeatRace,
  startTwoApps,
  statuses,
  type TwoApps,
} from '../harness/two-apps.ts'

// Races of fifty concurrent requests about money, at two processes on one database.
let apps: TwoApps
let trade: ReturnType<typeof orderSteps>
let admins: [RaceUser, RaceUser]
beforeAll(async () => {
  apps = await startTwoApps()
  trade = orderSteps(apps)
  admins = [await apps.newUser({ role: 'admin' }), await apps.newUser({ role: 'admin' })]
}, 120_000)
afterAll(() => apps.stop(), 60_000)

const mailsOf = (userId: number, template: string) =>
  apps.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.template, template)))

test(
  'R1: only one draft is created, for the same plan and for different plans',
  async () => {
    const buyer = await apps.newUser()
    await repeatRace(apps, raceRounds, async (round) => {
      const planId = apps.plans[round % apps.plans.length]!.id
      const same = await apps.sendFifty((url) =>
        buyer.sendWithRetry(url, 'POST', '/api/create-invoice', { planId, email: 'buyer@example.org' }),
      )
      expect(new Set(same.map(({ status, body }) => `${status} ${body.invoiceNumber}`)).size).toBe(1)
      expect(same[0]!.status).toBe(200)
      const threePlans = apps.plans.slice(0, 3)
      await apps.sendFifty((url, i) =>
        buyer.sendWithRetry(url, 'POST', '/api/create-invoice', {
          planId: threePlans[i % 3]!.id,
          email: 'buyer@example.org',
        }),
      )
      const drafts = await apps.db
        .select()
        .from(invoices)
        .where(sql`${invoices.userId} = ${buyer.id} AND ${invoices.status} = 'draft'`)
      expect(drafts).toHaveLength(1)
    })
  },
  raceTimeoutMs(),
)

test(
  'R2: a payment is submitted once, no matter how often and to which process it is sent',
  async () => {
    const buyer = await apps.newUser()
    const [planId, otherId] = [apps.plan(3, 2), apps.plan(6, 1)]
    await repeatRace(apps, raceRounds, async () => {
      const before = (await mailsOf(buyer.id, 'order_received')).length
      const invoiceNumber = await trade.draft(buyer, planId)
      expect(countByStatus(await apps.sendFifty((url) => trade.submit(buyer, url, planId, invoiceNumber)))).toEqual({
        200: 50,
      })
      const other = await trade.draft(buyer, otherId)
      const answers = await apps.sendFifty((url, i) =>
        trade.submit(buyer, url, otherId, other, i % 2 ? `ODD-${other}` : `EVEN-${other}`),
      )
      expect(countByStatus(answers)).toEqual({ 200: 25, 409: 25 })
      expect(await mailsOf(buyer.id, 'order_received')).toHaveLength(before + 2)
    })
  },
  raceTimeoutMs(),
)

test(
  'R3 and R4: fifty confirmations by two administrators have one effect and earn one referral bonus',
  async () => {
    const referrer = await apps.newUser()
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser({ referredBy: referrer.id })
      const invoice = await trade.submitted(buyer)
      const answers = await apps.sendFifty((url, i) =>
        trade.decide(admins[i % 3 === 0 ? 0 : 1], url, invoice.id, 'paid'),
      )
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.paidAt}`)).size).toBe(1)
      expect(answers[0]!.status).toBe(200)
      expect(await apps.db.select().from(activations).where(eq(activations.userId, buyer.id))).toHaveLength(1)
      const claims = await apps.db.select().from(referralClaims).where(eq(referralClaims.refereeId, buyer.id))
      expect(claims).toMatchObject([{ referrerId: referrer.id, rewardedInvoiceId: invoice.id, bonusBookedAt: null }])
      expect(claims[0]!.bonusCents).toBeGreaterThan(0)
      expect(await mailsOf(buyer.id, 'payment_confirmed')).toHaveLength(1)
      const next = await trade.submitted(buyer, apps.plan(3, 1))
      await apps.sendFifty((url) => trade.decide(admins[0], url, next.id, 'paid'))
      expect([
        next.referralDiscount,
        await apps.db.select().from(referralClaims).where(eq(referralClaims.refereeId, buyer.id)),
      ]).toEqual([0, claims])
    })
  },
  raceTimeoutMs(),
)

test(
  'R5: credit is spent only once',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser({ credit: 1_000 })
      const first = await trade.submitted(buyer, apps.plan(1, 2))
      const second = await trade.draft(buyer, apps.plan(3, 2))
      await apps.sendFifty((url) =>
        buyer.sendWithRetry(url, 'PUT', `/api/invoices/${second}/credit`, { useCredit: true }),
      )
      await trade.submit(buyer, apps.at(1), apps.plan(3, 2), second)
      const { id } = await trade.invoiceOf(second)
      await apps.sendFifty((url, i) => trade.decide(admins[0], url, i % 2 ? first.id : id, 'paid'))
      expect((await trade.userOf(buyer)).accountCredit).toBe(0)
      const spent = await apps.db
        .select()
        .from(creditTransactions)
        .where(sql`${creditTransactions.userId} = ${buyer.id} AND ${creditTransactions.type} = 'payment'`)
      expect(spent.map((row) => row.amount)).toEqual([-1_000])
    })
  },
  raceTimeoutMs(),
)

test(
  'R6: only one plan change is opened',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      await trade.subscribe(buyer, admins[0])
      const planIds = [apps.plan(12, 3), apps.plan(1, 3)]
      const answers = await apps.sendFifty((url, i) =>
        buyer.sendWithRetry(url, 'POST', '/api/change-subscription', { planId: planIds[i % 2], prorated: true }),
      )
      expect(countByStatus(answers)).toEqual({ 200: 1, 409: 49 })
    })
  },
  raceTimeoutMs(),
)

test(
  'only one refund request is created, one decision on it takes effect, and one credit note is issued',
  async () => {
    await repeatRace(apps, raceRounds, async (round) => {
      const buyer = await apps.newUser()
      const invoice = await trade.subscribe(buyer, admins[0])
      const { invoiceNumber } = invoice
      const requested = await apps.sendFifty((url) =>
        buyer.sendWithRetry(url, 'POST', '/api/refunds', { invoiceNumber, reason: 'It stutters' }),
      )
      expect(countByStatus(requested)).toEqual({ 200: 1, 409: 49 })
      const approval = {
        status: 'approved',
        paymentReference: `BACK-${round}`,
        reason: '',
        expectedAmount: invoice.amount,
      }
      const decided = await apps.sendFifty((url, i) =>
        admins[i % 2]!.sendWithRetry(
          url,
          'PUT',
          `/api/admin/invoices/${invoice.id}/refund`,
          i % 2 ? approval : { status: 'declined', reason: 'Too late' },
        ),
      )
      expect(countByStatus(decided)).toEqual({ 200: 1, 409: 49 })
      const [request] = await apps.db.select().from(refundRequests).where(eq(refundRequests.invoiceId, invoice.id))
      const isApproved = request!.status === 'approved'
      expect(await apps.db.select().from(creditNotes).where(eq(creditNotes.invoiceId, invoice.id))).toHaveLength(
        isApproved ? 1 : 0,
      )
      expect((await trade.userOf(buyer)).subscriptionStatus).toBe(isApproved ? 'none' : 'active')
      const refundMails = await apps.db
        .select()
        .from(mails)
        .where(sql`${mails.userId} = ${buyer.id} AND ${mails.template} LIKE 'refund_%'`)
      expect(refundMails.map(({ template }) => template).toSorted()).toEqual(['refund_decided', 'refund_requested'])
    })
  },
  raceTimeoutMs(),
)

test(
  'R10: concurrent confirm, cancel, reopen, reject, resubmit and reorder leave a valid state',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser({ referredBy: (await apps.newUser()).id, credit: 700 })
      const { id, invoiceNumber, version } = await trade.submitted(buyer)
      const moves = [
        (url: string) => trade.decide(admins[0], url, id, 'paid'),
        (url: string) => trade.decide(admins[1], url, id, 'cancelled'),
        (url: string) => trade.decide(admins[0], url, id, 'pending'),
        (url: string) =>
          admins[1].sendWithRetry(url, 'PUT', `/api/admin/invoices/${id}/rejection`, {
            reason: 'No payment found',
            version,
          }),
        (url: string) => trade.submit(buyer, url, apps.plan(1, 1), invoiceNumber, 'ANOTHER-CODE'),
        (url: string) =>
          buyer.sendWithRetry(url, 'POST', '/api/create-invoice', {
            planId: apps.plan(6, 2),
            email: 'buyer@example.org',
          }),
      ]
      const answers = await apps.sendFifty((url, i) => moves[i % moves.length]!(url))
      expect(statuses(answers).filter((status) => ![200, 409].includes(status))).toEqual([])
      const { status } = await trade.invoiceOf(invoiceNumber)
      expect(['paid', 'pending', 'cancelled']).toContain(status)
      expect((await trade.userOf(buyer)).subscriptionStatus).toBe(status === 'paid' ? 'active' : 'none')
    })
  },
  raceTimeoutMs(),
)

test(
  'R12: a confirmation aborted by a deadlock is retried and has one effect',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const invoice = await trade.submitted(buyer)
      const before = await deadlocks()
      const other = await apps.pool.connect()
      await other.query('BEGIN')
      // The reverse of the lock order of invoice decisions: the customer first, then the invoice.
      await other.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [buyer.id])
      const answers = apps.sendFifty((url, i) => trade.decide(admins[i % 2]!, url, invoice.id, 'paid'))
      await expect
        .poll(async () => Number((await apps.pool.query(waiting)).rows[0].count), { interval: 5, timeout: 10_000 })
        .toBeGreaterThan(0)
      // PostgreSQL checks for a deadlock after one second of waiting. If this connection's check ran just as the first
      // confirmation is aborted, it would find no deadlock, and each of the following confirmations would be aborted
      // after a second.
      await sleep(400)
      const outcome = await other.query('SELECT FROM invoices WHERE id = $1 FOR UPDATE', [invoice.id]).then(
        () => 'it went first',
        (error) => error.code,
      )
      await other.query('ROLLBACK')
      other.release()
      expect(['it went first', '40P01']).toContain(outcome)
      expect(countByStatus(await answers)).toEqual({ 200: 50 })
      expect(await apps.db.select().from(activations).where(eq(activations.userId, buyer.id))).toHaveLength(1)
      await expect.poll(deadlocks, { interval: 100, timeout: 15_000 }).toBeGreaterThan(before)
    })
  },
  raceTimeoutMs(),
)

const deadlocks = async () =>
  Number(
    (await apps.pool.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')).rows[0]
      .deadlocks,
  )
const waiting = `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"users"%'`
