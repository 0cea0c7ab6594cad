import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { openSession } from '#server/session/session.ts'
import { createUser } from '../test/harness/factories.ts'

const oldInvoices = 230

// One paid invoice every ten days, each with ten days of paid time; the last period is still running.
const addInvoices = `
  with plan as (select * from plans where months = 1 order by id limit 1),
  payment as (
    select n, now() - interval '10 days' * ($2 - n) - interval '1 hour' as paid_at from generate_series(1, $2::int) n),
  invoice as (
    insert into invoices (invoice_number, user_id, plan_id, plan_name, plan_months, plan_connections, description, customer_details, amount,
      payment_method, payment_note, confirmation_code, status, created_at, submitted_at, paid_at, expires_at)
    select 'ORD-' || upper(lpad(to_hex(n), 6, 'H')), $1, plan.id, plan.name, plan.months, plan.connections, plan.name, 'Email: regular@example.org',
      plan.price, 'cashapp', 'SAUCE: ' || n, 'CODE-' || n, 'paid', paid_at, paid_at, paid_at, paid_at + interval '7 days'
    from payment, plan returning id, user_id, plan_id, amount, paid_at),
  activation as (
    insert into activations (user_id, invoice_id, kind, plan_id, effective_at, after)
    select user_id, id, 'purchase', plan_id, paid_at, '{}' from invoice returning id, invoice_id)
  insert into segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, begun)
  select invoice.user_id, activation.id, plan.id, 1, plan.connections, paid_at, paid_at + interval '10 days', 10, amount, amount, true
  from invoice join activation on activation.invoice_id = invoice.id join plan on true`

/** Creates the database in `dataDir` with a customer who has paid 230 invoices. Returns the session token of the customer. */
export async function customerWithHistory(dataDir: string): Promise<string> {
  const database = await openDatabase(
    readConfig({ DATA_DIR: dataDir }),
    pino({ level: 'warn' }),
    join(import.meta.dirname, '../migrations'),
  )
  try {
    await seedSample(database.db)
    const user = await createUser(database.db, { username: 'regular' })
    await database.pool.query(addInvoices, [user.id, oldInvoices])
    await database.pool.query(
      `update users set subscription_status = 'active', plan_id = segments.plan_id, subscription_start_date = starts_at,
         subscription_end_date = ends_at
       from segments where user_id = users.id and ends_at > now()`,
    )
    return await openSession(database.db, user, { ip: '127.0.0.1', userAgent: 'bench' })
  } finally {
    await database.close()
  }
}
