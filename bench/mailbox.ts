// Measures the time from the delivery of a payment email to a real IMAP server (Dovecot) until the page of the customer's order can show the payment. Emails
// are delivered one after the other, with 10,000 open orders, in a new database. Run: npm run bench mailbox

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { readProgress } from '#features/payments/server/service/read-progress.ts'
import { startMailboxReader } from '#features/receipts/server/mailbox/reader.ts'
import { readMailboxSettings, updateMailboxSettings } from '#features/receipts/server/mailbox/settings.ts'
import * as settings from '#features/settings/server/service.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { startDovecot } from '../test/harness/dovecot.ts'
import { layouts, mailFields } from '../test/harness/payment-layouts.ts'
import { ourAddress, signedMail, testResolver } from '../test/harness/payment-mails.ts'
import { dataFolder } from '../test/harness/running-app.ts'

const orders = 10_000
const emails = Number(process.env.BENCH_EMAILS ?? 60)
const goalSeconds = 3

const data = dataFolder()
const config = { ...readConfig({ DATA_DIR: data.path }), mailboxAllowPrivate: true }
const log = pino({ level: 'warn' })
const database = await openDatabase(config, log, join(import.meta.dirname, '../migrations'))
const dovecot = await startDovecot()
const { db, pool } = database
let reader: ReturnType<typeof startMailboxReader> | undefined
try {
  const admin = await fill()
  await connectMailbox(admin)
  reader = startMailboxReader({ db, config, log, resolver: testResolver })
  // Emails delivered before the mailbox was first opened are not read.
  while ((await pool.query('select from mailbox_reader where checked_at is not null')).rowCount === 0) await sleep(50)
  const { layout } = layouts.find(({ template }) => template === 'venmo-card')!
  const { rows } = await pool.query<{ number: string; user: number }>(
    `select invoice_number as number, user_id as "user" from invoices order by md5(invoice_number) limit ${emails}`,
  )
  const seconds: number[] = []
  for (const [index, { number, user }] of rows.entries()) {
    const fields = mailFields({
      note: `SAUCE: ${number}`,
      id: `4691000000000${100_000 + index}`,
      amount: '31.49',
    })
    const raw = await signedMail(layout(fields), { date: new Date() })
    const delivered = performance.now()
    dovecot.deliver(raw)
    while (!(await readProgress(db, { id: user, permissions: [] }, number)).found) {
      if (performance.now() - delivered > 60_000) throw new Error(`the payment of ${number} was not found`)
      await sleep(5)
    }
    seconds.push((performance.now() - delivered) / 1000)
    await sleep(Math.random() * 200)
  }
  seconds.sort((one, other) => one - other)
  const [median, p95] = [0.5, 0.95].map((share) => seconds[Math.floor(seconds.length * share)]!) as [number, number]
  console.log(
    `${emails} emails, ${orders} open orders: from delivery until the page of the order shows the payment, median ${median.toFixed(2)} s, p95 ${p95.toFixed(2)} s (goal ${goalSeconds} s)`,
  )
  process.exitCode = p95 > goalSeconds ? 1 : 0
} finally {
  await reader?.stop()
  await database.close()
  await dovecot.close()
  data.remove()
}

/** Inserts an administrator, and customers with one open order each. Returns the administrator. */
async function fill(): Promise<{ id: number }> {
  await seedSample(db)
  await pool.query(`insert into users (username, email, password_hash, full_name, role, referral_code)
    select 'payer' || n, 'payer' || n || '@example.org', 'none', 'Payer ' || n, case when n = 0 then 'admin' else 'user' end, 'PAY' || n
    from generate_series(0, ${orders}) n`)
  await pool.query(`insert into invoices (invoice_number, user_id, plan_id, plan_name, plan_months, plan_connections, description, customer_details, amount,
      payment_method, payment_note, status, created_at, submitted_at, expires_at)
    select 'ORD-' || lpad(upper(to_hex(users.id + 1048576)), 6, '0'), users.id, plans.id, plans.name, plans.months, plans.connections, plans.name, '',
      3149, 'venmo', '', 'pending', now() - interval '1 hour', now() - interval '30 minutes', now() + interval '6 days'
    from users join plans on plans.id = (select min(id) from plans) where users.role = 'user' and users.username like 'payer%'`)
  await pool.query('vacuum analyze')
  const { rows } = await pool.query<{ id: number }>("select id from users where username = 'payer0'")
  return rows[0]!
}

async function connectMailbox(admin: { id: number }): Promise<void> {
  const accounts = { ...(await settings.read(db, 'payments')), cashtag: '$ShopTV', venmoHandle: '@shop-tv' }
  await db.transaction((tx) => settings.writeSetting(tx, 'payments', accounts, admin.id, 'bench'))
  settings.clearCache()
  const { version, value } = await readMailboxSettings(db, config)
  const { host, port, username, password, ca } = dovecot
  const account = {
    ...{ enabled: true, host, port, username, password, ca },
    tls: 'implicit' as const,
    folder: 'INBOX',
  }
  await updateMailboxSettings(
    { db, config },
    { version, value: { ...value, ...account, addresses: [ourAddress] } },
    { ...admin, requestId: 'bench' },
  )
}
