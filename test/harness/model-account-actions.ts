import { and, desc, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import { expect } from 'vitest'
import { runJobs as runLines } from '#features/provisioning/server/worker/run.ts'
import { activations, lineJobs, reports } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Action } from './model-action.ts'
import { planOf } from './model-invoice-actions.ts'
import { runJobs, send } from './model-world.ts'

const hour = 3_600_000
const email = 'buyer@example.org'

/** Actions about accounts, granted time, trials, lines and messages, and the passing of time. */
export const accountActions: Record<string, Action> = {
  'change the password': async (model, { customer }, pick) => {
    const [currentPassword, newPassword] = [
      pick % 4 ? model.password : 'not the right one',
      `correct horse ${pick} ${model.now}`,
    ]
    const status = await send(customer.client, 'PUT', '/api/account/password', { currentPassword, newPassword })
    if (currentPassword !== model.password) return [status, 403]
    if (newPassword === model.password) return [status, 400]
    model.password = newPassword
    return [status, 200]
  },
  'change the profile': async (model, { customer }, pick) => {
    model.notes.fullName = pick % 2 ? `Ada ${pick}` : null
    const body = { fullName: model.notes.fullName ?? '', email: customer.user.email, currentPassword: model.password }
    return [await send(customer.client, 'PUT', '/api/account/profile', body), 200]
  },
  'change the role': async (model, { world, customer }, pick) => {
    model.notes.role = pick % 2 ? 'admin' : 'user'
    return [
      await send(world.admin.client, 'PUT', `/api/admin/users/${customer.user.id}/role`, { role: model.notes.role }),
      200,
    ]
  },
  grant: async (model, { world, customer }, pick) => {
    const [plan, days] = [pick % 5 === 4 ? null : planOf(model, pick), 1 + (pick % 40)]
    const endDate = plan ? new Date(Date.parse(model.now) + days * 24 * hour).toISOString().slice(0, 10) : ''
    const body = plan
      ? { planId: plan.id, status: 'active', endDate }
      : { planId: null, status: 'none', startDate: '', endDate }
    return [
      await send(world.admin.client, 'PUT', `/api/admin/users/${customer.user.id}/subscription`, body),
      model.grant(plan, days),
    ]
  },
  'undo an edit': async (model, { world, customer }, pick) => {
    const edits = model.time.acts.filter(({ kind }) => kind === 'edit')
    const chosen = pick % Math.max(1, edits.length)
    const rows = await world.db
      .select({ id: activations.id })
      .from(activations)
      .where(
        and(eq(activations.userId, customer.user.id), eq(activations.kind, 'grant'), isNull(activations.reversedAt)),
      )
      .orderBy(activations.id)
    expect(rows).toHaveLength(edits.length)
    if (!rows[chosen]) return
    const status = await send(world.admin.client, 'POST', `/api/admin/users/${customer.user.id}/subscription/undo`, {
      activationId: rows[chosen].id,
    })
    return [status, model.undoEdit(edits[chosen]!)]
  },
  'adjust credit': async (model, { world, customer }, pick) => {
    const amount = pick % 2 ? 100 * (pick + 1) : -70 * (pick + 1)
    return [
      await send(world.admin.client, 'POST', `/api/admin/users/${customer.user.id}/credit`, {
        amount,
        reason: 'As agreed',
      }),
      model.adjust(amount),
    ]
  },
  'ask for a trial': async (model, { customer }) => [
    await send(customer.client, 'POST', '/api/trial-requests', {
      device: 'Fire TV',
      message: 'I would like to see it first',
    }),
    model.requestTrial(),
  ],
  'answer a trial request': async (model, { world }, pick) => {
    const trial = model.trials[pick % Math.max(1, model.trials.length)]
    if (!trial) return
    const status = (['approved', 'denied', 'pending'] as const)[pick % 3]!
    const access = {
      trialUsername: 'guest',
      trialPassword: 'let me in',
      trialServer: 'https://tv.example.org',
      expiryDate: new Date(Date.parse(model.now) + 48 * hour).toISOString(),
    }
    const body = { status, ...(status === 'approved' ? access : { adminNotes: 'Not now' }) }
    return [
      await send(world.admin.client, 'PUT', `/api/admin/trial-requests/${trial.id}`, body),
      model.decideTrial(trial, status),
    ]
  },
  'complete a line task': async (_model, { world, customer }) => {
    const { db, log, config } = world.context
    await runLines({ db, log, key: () => secretKey(config), loadConfig: async () => null })
    const [job] = await db
      .select()
      .from(lineJobs)
      .where(and(eq(lineJobs.userId, customer.user.id), ne(lineJobs.state, 'done'), isNotNull(lineJobs.task)))
      .orderBy(desc(lineJobs.id))
    if (!job) return
    return [
      await send(world.admin.client, 'POST', `/api/admin/lines/${job.id}/made`, {
        username: `line-${customer.user.id}`,
        password: 'by-hand',
        server: '',
      }),
      200,
    ]
  },
  report: async (model, { customer }) => {
    model.notes.reports++
    return [
      await send(customer.client, 'POST', '/api/reports', {
        contentType: 'channel',
        contentName: 'Arena One',
        issue: 'buffering',
      }),
      200,
    ]
  },
  'answer a report': async (_model, { world, customer }, pick) => {
    const [report] = await world.db.select().from(reports).where(eq(reports.userId, customer.user.id))
    if (!report) return
    const status = (['reviewing', 'resolved', 'dismissed', 'pending'] as const)[pick % 4]
    return [
      await send(world.admin.client, 'PUT', `/api/admin/reports/${report.id}`, { status, adminNotes: 'Seen' }),
      200,
    ]
  },
  inquire: async (model, { world, customer }) => {
    model.notes.inquiries++
    return [
      await send(world.client(), 'POST', '/api/inquiries', {
        name: 'Someone',
        email: customer.user.email,
        message: 'Do you show the match?',
      }),
      200,
    ]
  },
  watch: async (model, { world, customer }, pick) => {
    model.notes.watched = pick % 2 === 0
    return [
      await send(customer.client, 'PUT', `/api/watchlist/${world.channelId}`, { listed: model.notes.watched }),
      200,
    ]
  },
  'let time pass': async (model, { world }, pick) => {
    await world.pass([1, 20, 24 * 6, 24 * 8, 24 * 20, 24 * 31, 24 * 100][pick % 7]! * hour)
    model.now = world.now()
    if (pick % 4 === 0) return
    await runJobs(world)
    model.runJobs()
  },
  /** Closes every database connection during a request and restarts the app. A client that got 503 repeats its request. */
  crash: async (model, { world, customer }, pick) => {
    const [plan, useCredit] = [planOf(model, pick), true]
    const order = () => send(customer.client, 'POST', '/api/create-invoice', { planId: plan.id, email, useCredit })
    const request = order()
    await world.database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
    )
    const firstStatus = await request
    world.restart()
    // This process keeps its connection pool, which notices each broken connection only when it is used. A process that really restarted would have none.
    await expect
      .poll(
        () =>
          Promise.all(Array.from({ length: 8 }, () => world.db.execute('select 1'))).then(
            () => 'connected',
            () => 'cut',
          ),
        { interval: 1 },
      )
      .toBe('connected')
    return [firstStatus === 503 ? await order() : firstStatus, model.order(plan, useCredit)]
  },
}
