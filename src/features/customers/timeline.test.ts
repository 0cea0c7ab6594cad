import { randomUUID } from 'node:crypto'
import { desc, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateRole } from '#features/accounts/admin-contract.ts'
import { createInquiry } from '#features/inquiries/contract.ts'
import { decidePayment, undoPayment } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { updateReport } from '#features/reports/admin-contract.ts'
import { createReport } from '#features/reports/contract.ts'
import { createStaffRole } from '#features/staff/admin-contract.ts'
import { updateSubscription } from '#features/subscriptions/admin-contract.ts'
import { createTrialRequest } from '#features/trials/contract.ts'
import { auditLog, mails } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan, createUser } from '../../../test/harness/factories.ts'
import { addCustomerNote } from './admin-contract.ts'
import { getTimeline, type Timeline, type TimelineGroup, timelineGroups } from './admin-timeline-contract.ts'

let app: TestApp
let admin: SignedIn
let customer: SignedIn
let serial = 0
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin({ username: 'chief' })
})
beforeEach(async () => {
  customer = await app.signIn({ username: `priya.${++serial}` })
})
afterAll(() => app.close())

const read = (query: { filter?: TimelineGroup; before?: string } = {}, userId = customer.user.id): Promise<Timeline> =>
  admin.client.call(getTimeline, { params: { userId }, query })
const titles = ({ entries }: Timeline) => entries.map(({ title }) => title)
const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

describe('the timeline of a customer', () => {
  test('is for administrators only, and is refused for unknown users and malformed positions', async () => {
    const path = `/api/admin/users/${customer.user.id}/timeline`
    expect((await app.client().request(path)).status).toBe(401)
    expect((await customer.client.request(path)).status).toBe(403)
    expect((await admin.client.request('/api/admin/users/2147483647/timeline')).status).toBe(404)
    for (const query of [
      '?before=x',
      '?before=audit-1.',
      "?before=audit-1'",
      '?filter=secrets',
      `?before=${'a-1.'.repeat(200)}`,
    ])
      expect((await admin.client.request(path + query)).status, query).toBe(400)
    // Positions of other sources or beyond any row are harmless.
    for (const query of ['?before=nothing-5', '?before=audit-999999999999999999', '?before=order-5_5'])
      expect((await admin.client.request(path + query)).status, query).toBe(200)
  })

  test('has internal notes with their author, which are stored in the audit log; empty notes and unknown users are refused', async () => {
    const path = `/api/admin/users/${customer.user.id}/notes`
    const empty = await admin.client.post(path, { note: '  ' })
    expect([empty.status, await empty.json()]).toEqual([
      400,
      expect.objectContaining({ message: 'Please enter a note' }),
    ])
    expect((await admin.client.post('/api/admin/users/2147483647/notes', { note: 'Hello' })).status).toBe(404)

    await admin.client.call(addCustomerNote, {
      params: { userId: customer.user.id },
      body: { note: 'Called about two homes' },
    })
    expect((await read({ filter: 'account' })).entries[0]).toMatchObject({
      group: 'account',
      title: 'Internal note',
      detail: '“Called about two homes”, by chief',
    })
    const [entry] = await app.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(entry).toMatchObject({ action: 'user.add_note', after: { note: 'Called about two homes' } })
  })

  test('has recorded payments that match an invoice of the customer exactly, and the decisions about them', async () => {
    const { id: planId } = await createPlan(app.db, { price: 3_000 })
    const { id: invoiceId, invoiceNumber } = await createInvoice(app.db, {
      userId: customer.user.id,
      planId,
      amount: 3_000,
      status: 'pending',
      paymentMethod: 'cashapp',
      submittedAt: at(5),
    })
    const record = (note: string) =>
      admin.client.call(recordPayment, {
        body: {
          requestKey: randomUUID(),
          rail: 'cashapp',
          amount: 3_000,
          payerName: 'Priya',
          payerHandle: '',
          note,
          paidAt: at(1),
          providerReference: '',
        },
      })
    await record('for another order')
    const { id: paymentId, version } = await record(invoiceNumber)
    const body = { action: 'confirm' as const, version, invoiceIds: [invoiceId] }
    const decided = await admin.client.call(decidePayment, { params: { paymentId }, body })
    await admin.client.call(undoPayment, { params: { paymentId }, body: { version: decided.version } })
    const { entries } = await read({ filter: 'money' })
    const ofPayments = entries.filter(({ id }) => id.startsWith('audit')).map(({ title, detail }) => [title, detail])
    expect(ofPayments).toEqual(
      expect.arrayContaining([
        ['Payment decision undone', 'By chief'],
        ['Payment of $30.00 matched to the order', 'By chief'],
        ['Payment of $30.00 recorded', 'Cash App, by chief'],
      ]),
    )
    expect(ofPayments.filter(([title]) => title === 'Payment of $30.00 recorded')).toHaveLength(1)
  })

  test('has events of every source in plain words, newest first, and each under its filter', async () => {
    const { user, client } = customer
    const plan = await createPlan(app.db, { name: 'Beast: test', price: 5_999 })
    await createInvoice(app.db, {
      userId: user.id,
      planId: plan.id,
      invoiceNumber: 'ORD-B8ZRNP',
      status: 'pending',
      paymentMethod: 'venmo',
      paymentNote: 'SAUCE: ORD-B8ZRNP',
      confirmationCode: '4711',
      createdAt: at(30),
      submittedAt: at(20),
    })
    await app.db.insert(mails).values({
      dedupeKey: `test ${user.id}`,
      userId: user.id,
      recipient: user.email,
      template: 'payment_confirmed',
      data: {},
      status: 'failed',
      createdAt: at(10),
    })
    await app.database.pool.query(
      "insert into line_jobs (user_id, cause, cause_key, task, created_at) values ($1, 'purchase', $2, 'manual', $3)",
      [user.id, `test ${user.id}`, at(5)],
    )
    await client.call(createReport, {
      body: { contentType: 'channel', contentName: 'Harbor Sports 2', issue: 'buffering' },
    })
    await client.call(createTrialRequest, { body: { device: 'Fire TV', message: 'I would like to try it.' } })
    await app
      .client()
      .call(createInquiry, { body: { name: 'Priya', email: user.email.toUpperCase(), message: 'How many screens?' } })
    const params = { userId: user.id }
    await admin.client.call(adjustCredit, { params, body: { amount: 1_250, reason: 'For the trouble' } })
    await admin.client.call(updateSubscription, {
      params,
      body: { planId: plan.id, status: 'active', endDate: '2099-01-01' },
    })
    await admin.client.call(updateRole, { params, body: { role: 'admin' } })

    const timeline = await read()
    expect(timeline.next).toBeNull()
    expect(timeline.entries).toEqual(
      expect.arrayContaining(
        [
          { group: 'account', title: 'Account created' },
          { group: 'money', title: 'Ordered Beast: test, $59.99', invoiceNumber: 'ORD-B8ZRNP' },
          {
            group: 'money',
            title: 'Payment of $59.99 submitted by Venmo',
            detail: 'ORD-B8ZRNP, code 4711, note “SAUCE: ORD-B8ZRNP”',
            tone: 'warn',
            open: { kind: 'invoice', id: expect.any(Number), action: 'Confirm Payment' },
          },
          {
            group: 'emails',
            title: 'Email: “Payment confirmed”',
            detail: `Could not be delivered to ${user.email}`,
            tone: 'bad',
          },
          { group: 'line', title: 'Line needs an administrator', open: { kind: 'line', action: 'Open Job' } },
          { group: 'requests', title: 'Reported Harbor Sports 2: buffering', open: { kind: 'report' } },
          {
            group: 'requests',
            title: 'Trial requested',
            detail: 'Fire TV, “I would like to try it.”',
            open: { kind: 'trial' },
          },
          { group: 'requests', title: 'Inquiry from this email address', open: { kind: 'inquiry' } },
          { group: 'money', title: 'Account credit adjusted by +$12.50', detail: '“For the trouble”, by chief' },
          {
            group: 'account',
            title: 'Subscription changed',
            detail: expect.stringMatching(/^Beast: test, Active, from .*, until Jan 1, 2099, by chief$/),
            open: { kind: 'edit', action: 'Undo' },
          },
          { group: 'account', title: 'Role changed to Administrator', detail: 'By chief' },
          { group: 'account', title: 'Logged in' },
        ].map((entry) =>
          expect.objectContaining({ ...entry, ...('open' in entry && { open: expect.objectContaining(entry.open) }) }),
        ),
      ),
    )
    const times = timeline.entries.map((entry) => entry.at)
    expect(times).toEqual([...times].sort().reverse())
    expect(new Set(timeline.entries.map(({ id }) => id)).size).toBe(timeline.entries.length)
    expect(JSON.stringify(timeline.entries.map(({ title, detail }) => [title, detail]))).not.toMatch(
      /\d{4}-\d\d-\d\dT|→|version|[a-z][A-Z][a-z]+Date|\{"|[a-z]_[a-z]/,
    )
    for (const filter of ['money', 'line', 'requests', 'emails', 'account'] as const) {
      const filtered = await read({ filter })
      expect(filtered.entries).toEqual(timeline.entries.filter(({ group }) => group === filter))
      expect(timeline.counts![filter], filter).toBe(filtered.entries.reduce((sum, { count }) => sum + count, 0))
      expect(filtered.comingUp).toEqual([])
    }
    expect(timeline.comingUp.at(-1)).toMatchObject({ title: 'Subscription ends', at: '2099-01-01T23:59:59.000Z' })
  })

  test('leaves out what a staff member may not see, including in the counts and the upcoming events', async () => {
    const { user, client } = customer
    await createInvoice(app.db, {
      userId: user.id,
      amount: 5_999,
      status: 'pending',
      paymentMethod: 'venmo',
      submittedAt: at(20),
    })
    await client.call(createReport, {
      body: { contentType: 'channel', contentName: 'Harbor Sports 2', issue: 'buffering' },
    })
    await client.call(createTrialRequest, { body: { device: 'Fire TV', message: 'I would like to try it.' } })
    await app.client().call(createInquiry, { body: { name: 'Priya', email: user.email, message: 'How many screens?' } })
    await app.database.pool.query(
      "insert into line_jobs (user_id, cause, cause_key, task) values ($1, 'purchase', $2, 'manual')",
      [user.id, `test ${user.id}`],
    )
    await app.database.pool.query(
      `insert into audit_log (action, target_type, target_id, customer_id, after)
       values ('ticket.reply', 'ticket', 1, $1, '{"subject": "A private matter"}')`,
      [user.id],
    )
    const secrets = {
      'invoices.read': 'submitted by',
      'reports.read': 'Harbor Sports 2',
      'trials.read': 'Trial requested',
      'inquiries.read': 'Inquiry from this email address',
      'lines.read': 'Line needs an administrator',
      'tickets.read': 'A private matter',
    }
    const names = Object.keys(secrets) as (keyof typeof secrets)[]
    for (const permissions of [[], ...names.map((name) => [name])]) {
      const { id: staffRoleId } = await admin.client.call(createStaffRole, {
        body: { name: `Reader ${++serial}`, description: '', permissions: ['customers.read', ...permissions] },
      })
      const { client: reader } = await app.signInAdmin({ staffRoleId })
      const timeline = await reader.call(getTimeline, { params: { userId: user.id }, query: {} })
      const text = JSON.stringify(timeline)
      expect(names.filter((name) => text.includes(secrets[name]))).toEqual(permissions)
      const shown = Object.fromEntries(
        timelineGroups.map((group) => [
          group,
          timeline.entries.filter((entry) => entry.group === group).reduce((sum, { count }) => sum + count, 0),
        ]),
      )
      expect(timeline.counts).toEqual(shown)
      expect(timeline.comingUp.some(({ title }) => title.startsWith('Invoice'))).toBe(
        permissions[0] === 'invoices.read',
      )
    }
  })

  test('shows what was decided about a report, and the action only while the report is open', async () => {
    const { client } = customer
    const { id } = await client.call(createReport, {
      body: { contentType: 'movie', contentName: 'Grand Tour', issue: 'other' },
    })
    await admin.client.call(updateReport, {
      params: { reportId: id },
      body: { status: 'resolved', adminNotes: 'Done', version: 1 },
    })
    const { entries } = await read({ filter: 'requests' })
    expect(entries.map(({ title, detail, open }) => [title, detail, open])).toEqual([
      ['Report of Grand Tour is now Resolved', 'By chief', null],
      ['Reported Grand Tour: other', 'Movie, resolved', null],
    ])
  })

  test('combines identical events within a minute, and only those', async () => {
    const { id } = customer.user
    const resend = (minutes: number, recipient: string) => ({
      at: at(minutes),
      actorId: admin.user.id,
      action: 'mail.resend',
      targetType: 'user',
      targetId: String(id),
      after: { recipient },
    })
    await app.db
      .insert(auditLog)
      .values([
        resend(9, 'a@x.org'),
        resend(5, 'a@x.org'),
        resend(4.5, 'b@x.org'),
        resend(4.4, 'a@x.org'),
        resend(4.2, 'a@x.org'),
      ])
    const { entries } = await read({ filter: 'emails' })
    expect(entries.map(({ detail, count }) => [detail, count])).toEqual([
      ['A@x.org, by chief', 3],
      ['B@x.org, by chief', 1],
      ['A@x.org, by chief', 1],
    ])
  })

  test('shows every event exactly once across pages, even when rows are added in between', async () => {
    const { id, email } = customer.user
    await app.database.pool.query(
      `insert into mails (dedupe_key, user_id, recipient, template, data, status, created_at)
       select 'page' || $1::int || n, $1::int, $2, 'welcome', '{}', 'sent', now() - n * interval '2 hours' from generate_series(120, 1, -1) n`,
      [id, email],
    )
    await app.database.pool.query(
      `insert into audit_log (actor_id, action, target_type, target_id, at)
       select $2::int, 'user.start_view', 'user', ($1::int)::text, now() - n * interval '3 hours' - interval '1 minute' from generate_series(95, 1, -1) n`,
      [id, admin.user.id],
    )
    const plan = await createPlan(app.db)
    for (let n = 1; n <= 50; n++)
      await createInvoice(app.db, {
        userId: id,
        planId: plan.id,
        status: 'cancelled',
        createdAt: at(n * 300 + 2),
        submittedAt: n % 2 ? at(n * 300 + 1) : null,
      })
    const first = await read()
    expect(first.entries).toHaveLength(30)
    expect(first.counts).toMatchObject({ emails: 100, money: 75 })
    await customer.client.call(createReport, { body: { contentType: 'movie', contentName: 'New', issue: 'other' } })
    const all = [...first.entries]
    for (let page = first; page.next; ) {
      page = await read({ before: page.next })
      expect(page.counts).toBeNull()
      expect(page.comingUp).toEqual([])
      all.push(...page.entries)
    }
    const ids = all.map((entry) => entry.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(titles({ ...first, entries: all })).not.toContain('Reported New: other')
    // 120 emails, 95 views, 50 orders, 25 payments, 1 login and the account
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(292)
    const times = all.map((entry) => entry.at)
    expect(times).toEqual([...times].sort().reverse())
  })

  test('returns hostile text unchanged', async () => {
    const hostile = "<img src=x onerror=alert(1)> {{7*7}} %24{7*7} '; --"
    await customer.client.call(createReport, {
      body: { contentType: 'movie', contentName: hostile, issue: 'other', description: hostile },
    })
    await app.database.pool.query(
      "insert into audit_log (actor_id, action, target_type, target_id, before, after) values ($1, $2, 'user', $3, $4, $4)",
      [
        admin.user.id,
        hostile,
        String(customer.user.id),
        JSON.stringify({ role: hostile, endDate: hostile, username: [hostile] }),
      ],
    )
    await app.database.pool.query(
      `insert into audit_log (action, target_type, target_id, before, after)
       select action, 'user', $1, '[1]', '{"until": "never", "role": 5, "planId": "x"}'
       from unnest(array['line.extend', 'user.update_role', 'user.update_subscription', 'trial.end']) action`,
      [String(customer.user.id)],
    )
    const { entries } = await read()
    expect(entries.find(({ id }) => id.startsWith('report'))).toMatchObject({ title: `Reported ${hostile}: other` })
  })

  test('of another customer contains nothing about this customer', async () => {
    const other = await createUser(app.db)
    await customer.client.call(createReport, { body: { contentType: 'movie', contentName: 'Mine', issue: 'other' } })
    expect(titles(await read({}, other.id))).toEqual(['Account created'])
  })
})

test('every audit entry about a customer has the id of that customer', async () => {
  const { rows } = await app.db.execute(sql`
    select action, target_type from audit_log where customer_id is null and target_type in ('user', 'invoice', 'report', 'trial_request')`)
  expect(rows).toEqual([])
})
