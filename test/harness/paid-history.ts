import type { Pool } from 'pg'

// An invoice was paid every ten days, each for ten days of time. The last period has not ended yet.
const insertHistory = `
  with plan as (select * from plans where months = 1 order by id limit 1),
  payment as (
    select u as user_id, u * 1000 + n as number, date_trunc('second', now()) - interval '10 days' * ($2 - n) - interval '1 hour' as paid_at
    from unnest($1::int[]) u, generate_series(1, $2::int) n),
  invoice as (
    insert into invoices (invoice_number, user_id, plan_id, plan_name, plan_months, plan_connections, description, customer_details, amount,
      payment_method, payment_note, confirmation_code, status, created_at, submitted_at, paid_at, expires_at)
    select 'ORD-' || upper(lpad(to_hex(number), 6, 'H')), user_id, plan.id, plan.name, plan.months, plan.connections, plan.name,
      'Email: regular@example.org', plan.price, 'cashapp', 'SAUCE: ' || number, 'CODE-' || number, 'paid', paid_at, paid_at, paid_at,
      paid_at + interval '7 days'
    from payment, plan returning id, user_id, plan_id, amount, paid_at),
  activation as (
    insert into activations (user_id, invoice_id, kind, plan_id, effective_at, after)
    select user_id, id, 'purchase', plan_id, paid_at, '{}' from invoice returning id, invoice_id),
  segment as (
    insert into segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, begun)
    select invoice.user_id, activation.id, plan.id, 1, plan.connections, paid_at, paid_at + interval '10 days', 10, amount, amount, true
    from invoice join activation on activation.invoice_id = invoice.id join plan on true
    returning user_id, plan_id, starts_at, ends_at)
  update users set subscription_status = 'active', plan_id = segment.plan_id, subscription_start_date = starts_at,
    subscription_end_date = ends_at
  from segment where users.id = segment.user_id and ends_at > now()`

/** Gives each customer this many paid invoices (fewer than 1,000) for the first plan of one month. */
export async function addPaidHistory(pool: Pool, userIds: number[], invoices: number): Promise<void> {
  await pool.query(insertHistory, [userIds, invoices])
}
