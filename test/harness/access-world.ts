import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Plan } from '#features/catalog/contract.ts'
import { sealPassword } from '#features/provisioning/server/credentials.ts'
import { users } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { paymentRecords } from './access-payment.ts'
import { createPrincipals, type Principal } from './access-principals.ts'
import { ticketRecords } from './access-ticket.ts'
import type { SignedIn, TestApp } from './app.ts'
import { createInvoice, grantTime } from './factories.ts'
import { insertWatching } from './insert-watching.ts'
import { insertWebhook } from './insert-webhook.ts'

/** A customer with one record of each kind, and all principals that may request them. */
export type World = {
  app: TestApp
  owner: SignedIn
  other: SignedIn
  admin: SignedIn
  principals: Principal[]
  /** The values of the path parameters. */
  pathParams: Record<string, string | number>
  /** Text contained in all private data of the owner. */
  marker: string
  plans: Plan[]
}

/** Creates a new world. Worlds share only the plans. `withPrincipals: false` leaves the list of principals empty. */
export async function createWorld(app: TestApp, plans: Plan[], { withPrincipals = true } = {}): Promise<World> {
  const marker = `canary${randomBytes(6).toString('hex')}`
  const [owner, other, admin] = [
    await app.signIn({ username: marker, fullName: `${marker} Doe`, credit: 500 }),
    await app.signIn(),
    await app.signInAdmin(),
  ]
  const world: World = { app, owner, other, admin, plans, marker, pathParams: {}, principals: [] }
  world.pathParams = await createRecords(world)
  if (withPrincipals) world.principals = await createPrincipals(world)
  return world
}

async function createRecords({ app, owner, admin, plans, marker }: World): Promise<World['pathParams']> {
  const userId = owner.user.id
  const planId = plans[0]!.id
  const insert = async (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row).map((name) => `"${name}"`)
    const text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`
    return (await app.database.pool.query<{ id: number }>(text, Object.values(row))).rows[0]!.id
  }
  const draft = await createInvoice(app.db, { userId, planId })
  const pending = await createInvoice(app.db, {
    userId,
    planId,
    status: 'pending',
    submittedAt: new Date().toISOString(),
    paymentMethod: 'venmo',
  })
  const [subscriptionStartDate, subscriptionEndDate] = [
    new Date().toISOString(),
    new Date(Date.now() + 20 * 86_400_000).toISOString(),
  ]
  const subscribed = { planId, subscriptionStatus: 'active' as const, subscriptionStartDate, subscriptionEndDate }
  await app.db.update(users).set(subscribed).where(eq(users.id, userId))
  await grantTime(app.db, userId, subscribed)
  const editId = await insert('activations', {
    user_id: userId,
    kind: 'grant',
    plan_id: planId,
    effective_at: subscriptionStartDate,
    after: '{"status":"active","endDate":null}',
  })
  await insert('lines', {
    user_id: userId,
    panel: 'memory',
    line_ref: marker,
    username: `${marker}-line`,
    password: sealPassword(secretKey(app.context.config), userId, `${marker}-secret`),
    server: 'http://tv.example:8080',
  })
  const run = { name: `${marker}.csv`, mapping: '{}', created_by: admin.user.id }
  const earlier = { number: `OLD-${marker}`, issued_on: '2024-03-31', amount: 900, status: 'paid' }
  const invoiceRun = await insert('import_runs', { ...run, kind: 'invoices', state: 'applied' })
  await insert('earlier_invoices', { user_id: userId, run_id: invoiceRun, ...earlier })
  return {
    userId,
    editId,
    ...(await paymentRecords(app, admin.user.id, marker)),
    runId: await insert('import_runs', run),
    planId: await insert('plans', {
      name: `Plan ${marker}`,
      tier: 1,
      months: 1,
      connections: 50,
      price: 900,
      billing: 'month',
      features: '[]',
      hidden: true,
    }),
    invoiceNumber: draft.invoiceNumber,
    pendingNumber: pending.invoiceNumber,
    invoiceId: pending.id,
    amount: pending.amount,
    channelId: await insert('channels', {
      name: `Channel ${marker}`,
      category: 'news',
      logo: '/favicon.svg',
      hidden: true,
    }),
    categoryId: await insert('device_categories', {
      name: `Devices ${marker}`,
      icon: 'tv',
      devices: '["A box"]',
      position: 9,
      hidden: true,
    }),
    faqId: await insert('faqs', { question: `Question ${marker}?`, answer: 'An answer.', order: 9, hidden: true }),
    guideId: 1,
    startsAt: '2026-11-23T20:00:00.000Z',
    ...(await ticketRecords(app, userId, marker)),
    incidentId: await insert('incidents', {
      kind: 'problem',
      title: 'A published problem',
      starts_at: subscriptionStartDate,
      begun: true,
      created_by: admin.user.id,
    }),
    announcementId: await insert('announcements', {
      kind: 'service',
      title: 'A draft',
      summary: 'What it is about.',
      body: '',
      audience: 'plans',
      plan_ids: [planId],
      on_site: true,
      emails: false,
      per_hour: 60,
      created_by: admin.user.id,
    }),
    giftId: await insert('time_gifts', {
      days: 1,
      reason: 'An outage',
      emails: false,
      created_by: admin.user.id,
    }),
    trialRequestId: await insert('trial_requests', {
      user_id: userId,
      device: 'A box',
      message: `Please let me try, ${marker}`,
    }),
    mailId: await insert('mails', {
      dedupe_key: marker,
      user_id: userId,
      recipient: owner.user.email,
      template: 'welcome',
      data: JSON.stringify({ username: marker }),
      status: 'kept',
    }),
    jobId: await insert('line_jobs', { user_id: userId, cause: 'grant', cause_key: marker, task: 'tries' }),
    driftId: await insert('line_drift', { kind: 'no_line', user_id: userId, username: `${marker}-line` }),
    passkeyId: await insert('passkeys', {
      user_id: userId,
      credential_id: marker,
      public_key: Buffer.alloc(8),
      transports: '[]',
      name: `${marker} phone`,
    }),
    sessionId: await insert('sessions', {
      token_hash: randomBytes(32),
      user_id: userId,
      expires_at: new Date(Date.now() + 86_400_000),
      ip: '127.0.0.1',
      user_agent: marker,
    }),
    ...(await insertWatching(app, userId, marker)),
    savedViewId: await insert('saved_views', { owner_id: admin.user.id, list: 'users', name: marker }),
    webhookId: await insertWebhook(app),
    hash: '0'.repeat(64),
    document: 'terms',
    section: 'referrals',
    template: 'welcome',
  }
}
