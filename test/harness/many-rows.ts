import type pg from 'pg'
import { refreshAllInsight } from '#features/insight/server/refresh-insight.ts'
import { seedSample } from '#server/db/seed.ts'
import { addUpCounts } from '#server/lists/list-count.ts'
import { seedBig } from '../../bench/seed-big.ts'
import { sharedTemplate } from './database.ts'

// Large enough that reading a whole table is never the cheapest plan for what one request needs.
const size = {
  users: 30_000,
  invoices: 60_000,
  reports: 24_000,
  trials: 24_000,
  lineJobs: 30_000,
  // The inquiries are added by `lists`.
  inquiries: 0,
}
/** Every table that grows with customers has at least this number of rows. */
export const fewestRows = 10_000

const firstUserId = '(select min(id) from users)'
const firstCustomerId = "(select min(id) from users where referral_code like 'BIG%')"
const serial = `from generate_series(1, 30000) n`
const fromTwentyThousand = `from generate_series(1, 20000) n`

/** The lists that `seedBig` does not fill: columns and rows by table. */
const lists: Record<string, string> = {
  audit_log: `(at, actor_id, action, target_type, target_id)
    select now() - n * interval '1 hour', case when n % 50 = 0 then ${firstUserId} end, 'payment.' || n % 7, case when n % 3 = 0 then 'user' else 'invoice' end, n::text ${serial}`,
  inquiries: `(name, email, message, status, created_at) select 'Anna ' || n, 'a' || n || '@gmail.com', 'How many channels are there in ' || n,
    case when n % 9 = 0 then 'open' else 'answered' end, now() - n * interval '1 hour' ${serial}`,
  mails: `(dedupe_key, user_id, recipient, template, data, status) select 'k' || n, ${firstUserId} + n % 1000, 'a' || n || '@gmail.com', 'verify-email', '{}',
    case when n % 9 = 0 then 'failed' else 'sent' end ${serial}`,
}
const hash = (word: string) => `sha256(('${word}' || n)::bytea)`
const paid = `from (select *, row_number() over (order by id) n from invoices where status = 'paid') sold where n <= 20000`
const otherTables: Record<string, string> = {
  sessions: `(token_hash, user_id, expires_at) select ${hash('s')}, ${firstCustomerId} + n, now() + interval '20 days' ${fromTwentyThousand}`,
  login_places: `(user_id, place) select ${firstCustomerId} + n, ${hash('p')} ${fromTwentyThousand}`,
  mailed_tokens: `(token_hash, user_id, purpose, email, expires_at) select ${hash('m')}, ${firstCustomerId} + n, 'verify_email', n || '@example.org', now() + interval '1 day' ${fromTwentyThousand}`,
  two_factor: `(user_id, secret, confirmed_at) select ${firstCustomerId} + n, 'v1:none', now() ${fromTwentyThousand}`,
  recovery_codes: `(user_id, code_hash) select ${firstCustomerId} + n, ${hash('r')} ${fromTwentyThousand}`,
  pending_logins: `(token_hash, user_id, expires_at) select ${hash('l')}, ${firstCustomerId} + n, now() + interval '5 minutes' ${fromTwentyThousand}`,
  admin_requests: `(action, target, digest, requested_by) select 'promote', 'u' || n, ${hash('a')}, ${firstCustomerId} + n ${fromTwentyThousand}`,
  passkeys: `(user_id, credential_id, public_key, transports, name) select ${firstCustomerId} + n, 'c' || n, ${hash('k')}, '[]', 'A phone' ${fromTwentyThousand}`,
  passkey_challenges: `(challenge_hash, user_id, expires_at) select ${hash('c')}, ${firstCustomerId} + n, now() + interval '5 minutes' ${fromTwentyThousand}`,
  invoice_lines:
    "(invoice_id, position, kind, description, amount) select id, 1, 'plan', plan_name, amount from invoices",
  refund_requests: `(invoice_id, user_id, reason, status, decided_at, decided_by, decision_reason)
    select id, user_id, 'It does not run here', 'declined', now(), ${firstUserId}, 'It does run' ${paid}`,
  credit_notes: `(number, invoice_id, user_id, amount, credit_returned, issued_by, payment_reference)
    select n, id, user_id, amount, 0, ${firstUserId}, 'Venmo 4711' ${paid}`,
  activations: `(user_id, kind, plan_id, effective_at, after) select ${firstCustomerId} + n, 'grant', 1 + n % 20, now(), '{}' ${fromTwentyThousand}`,
  segments: `(user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, begun)
    select user_id, id, plan_id, 1, 1, now() - interval '9 days', now() + interval '21 days', 30, 1500, 0, true from activations`,
  time_gifts: `(days, reason, emails, state, created_by) select 1, 'A gift', false, 'given', ${firstUserId} ${fromTwentyThousand}`,
  time_gift_customers: `(gift_id, user_id, state, activation_id) select (select min(id) from time_gifts), user_id, 'added', id from activations`,
  announcements: `(kind, title, summary, body, audience, plan_ids, on_site, emails, per_hour, state, created_by, published_by, published_at)
    select 'news', 'News ' || n, 'A summary', '', 'everyone', '{}', false, true, 60, 'published', ${firstUserId}, ${firstUserId}, now() from generate_series(1, 100) n`,
  announcement_recipients: `(announcement_id, user_id, state, token_hash)
    select (select max(id) from announcements) - n % 100, ${firstCustomerId} + n, 'emailed', ${hash('u')} ${fromTwentyThousand}`,
  subscription_moves: `(from_user_id, to_user_id, from_activation, to_activation, created_by)
    select user_id, ${firstUserId}, id, id, ${firstUserId} from activations`,
  credit_transactions: `(user_id, amount, description, type, created_by) select ${firstCustomerId} + n, 100, 'A gift', 'admin_adjustment', ${firstUserId} ${fromTwentyThousand}`,
  referral_claims: `(referee_id, referrer_id) select ${firstCustomerId} + n, ${firstCustomerId} + n / 4 ${fromTwentyThousand}`,
  watchlist: `(user_id, channel_id) select ${firstCustomerId} + n, (select min(id) from channels) ${fromTwentyThousand}`,
  self_checks: `(user_id, channel_id, device, probes, created_at) select ${firstCustomerId} + n, (select min(id) from channels), 'Chrome on Windows', false, now() - n * interval '1 minute' ${fromTwentyThousand}`,
  report_evidence: `(report_id, check_id, evidence) select id, gen_random_uuid(), '{}' from reports`,
  devices: `(user_id, kind, name, session_id) select ${firstCustomerId} + n, 'browser', 'Chrome on Windows', n ${fromTwentyThousand}`,
  plays: `(user_id, session_id, device_id, device, channel_id, seen_at, ended_at, why) select user_id, session_id, id, name, (select min(id) from channels), now() - session_id * interval '1 minute', now(), 'closed' from devices`,
  watch_progress: `(user_id, kind, ref, position_ms, length_ms) select ${firstCustomerId} + n, 'catchup', (select min(id) from channels) || '-1795896000000', 600000, 3600000 ${fromTwentyThousand}`,
  // One payment in a hundred still waits for a decision; the others were not for an invoice.
  payments: `(rail, source, amount, paid_on, payer_name, payer_key, note, provider_reference, fallback_key)
    select 'cashapp', 'statement', 1000 + n, current_date, 'Payer ' || n, 'payer' || n, 'Note ' || n, 'REF' || n, 'line' || n ${fromTwentyThousand}`,
  payment_cases: `(payment_id, status, open_cents, blocked_by, alike)
    select id, case when id % 100 = 0 then 'open' else 'done' end, case when id % 100 = 0 then amount else 0 end, '{}', concat_ws(' ', rail, amount, currency) from payments`,
  payment_matches: `(payment_id, invoice_id, score, level, reasons)
    select id, (select min(id) from invoices) + id, 40, 'maybe', '[]' from payments`,
  payment_decisions: `(payment_id, action, undo_facts, decided_by)
    select id, case when id % 100 = 0 then 'link' else 'not_ours' end, '{}', ${firstUserId} from payments`,
  payment_allocations: `(payment_id, decision_id, amount, target) select payment_id, id, 1000 + payment_id, 'not_ours' from payment_decisions`,
  statement_files: `(sha256, name, format, new_lines, known_lines, skipped_lines, unreadable_lines, new_cents, uploaded_by)
    select sha256(int4send(n)), 'statement ' || n, 'csv:cashapp', 20, 0, 0, 0, 20000, ${firstUserId} ${fromTwentyThousand}`,
  payment_receipts: `(file_id, source_key, payment_id, line)
    select (select min(id) from statement_files) + id % 1000, 'key ' || id, id, 1 + id / 1000 from payments`,
  payment_mails: `(source_key, mailbox, uid_validity, uid, message_id, sender, subject, bytes, received_at, auth, outcome, template, read_at)
    select 'mail ' || id, 'test', 1, id, 'mail ' || id, 'cash@square.com', 'You received money', 1000, now(), 'proven', 'payment', 'cashapp', now() - id * interval '1 minute' from payments`,
  payment_mail_links: `(mail_id, payment_id) select m.id, p.id from payment_mails m join payments p on m.source_key = 'mail ' || p.id`,
  payment_events: `(processor, event_id, type, signed_at, received_at, outcome, facts)
    select 'stripe', 'evt_' || n, 'checkout.session.completed', now(), now() - n * interval '1 minute', 'payment', '{}' ${fromTwentyThousand}`,
  payment_event_links: `(event_id, payment_id) select e.id, p.id from payment_events e join payments p on p.provider_reference = 'REF' || substring(e.event_id from 5)`,
  payment_rule_results: `(payment_id, invoice_id, state, created_at)
    select id, (select min(id) from invoices) + id, 'shadow', now() - n * interval '1 hour' from (select id, row_number() over (order by id desc) as n from payments) p`,
  payer_identities: `(rail, payer_key, user_id, confirmations, last_at) select 'cashapp', 'payer' || n, ${firstCustomerId} + n, 1, now() ${fromTwentyThousand}`,
  import_runs: `(name, state, mapping, created_by, applied_by, applied_at) select 'old.csv', 'applied', '{}', ${firstUserId}, ${firstUserId}, now()`,
  import_rows: `(row_key, run_id, line, verdict, username, email, user_id)
    select 'row ' || n, (select min(id) from import_runs), n, 'created', 'moved' || n, 'moved' || n || '@example.org', ${firstCustomerId} + n ${fromTwentyThousand}`,
  earlier_invoices: `(user_id, run_id, number, issued_on, amount, status)
    select ${firstCustomerId} + n, (select min(id) from import_runs), 'INV-' || n, current_date - 400, 1500, 'paid' ${fromTwentyThousand}`,
  guide_sources: `(name) values ('Listings')`,
  guide_channels: `(source_id, xmltv_id, name) select (select min(id) from guide_sources), 'channel' || n || '.example', 'Channel ' || n ${fromTwentyThousand}`,
  channel_guides: `(channel_id, guide_channel_id, matched) select id, (select min(id) from guide_channels) + row_number() over (order by id), 'id' from channels`,
  guide_programs: `(guide_channel_id, starts_at, ends_at, title) select (select min(id) from guide_channels) + n % 200, date_trunc('hour', now()) + (n / 200 - 24) * interval '1 hour',
    date_trunc('hour', now()) + (n / 200 - 23) * interval '1 hour', 'Program ' || n ${fromTwentyThousand}`,
  program_marks: `(user_id, channel_id, starts_at, ends_at, title, reminder) select ${firstCustomerId} + n, (select min(id) from channels), now() + n * interval '1 minute',
    now() + (n + 30) * interval '1 minute', 'Program ' || n, true ${fromTwentyThousand}`,
  webhooks: `(id, type, name, sealed, kinds) select gen_random_uuid(), 'signed', 'Webhook ' || n, '', '{report}' from generate_series(1, 20) n`,
  webhook_deliveries: `(webhook_id, kind, subject_id, status, attempts, created_at)
    select (array(select id from webhooks))[1 + n % 20], 'report', n, case when n % 1000 = 0 then 'queued' else 'sent' end, 1,
      now() - n * interval '1 minute' ${fromTwentyThousand}`,
  line_drift: `(kind, user_id, username) select 'no_line', ${firstCustomerId} + n, 'line' || n ${fromTwentyThousand}`,
  panels: `(name, kind, address) values ('Second', 'xui-admin', 'https://second.example')`,
  line_move_runs: `(from_panel, to_panel, state) select 1, id, 'done' from panels where id <> 1`,
  line_moves: `(run_id, user_id, state) select (select min(id) from line_move_runs), user_id, 'moved' from lines`,
  identifying_amounts: `(invoice_id, amount) select id, 1000000 + id from invoices order by id limit 20000`,
  ticket_pictures: `(message_id, position, bytes, small, width, height)
    select id, 1, '', '', 1, 1 from ticket_messages where id % 2 = 0`,
}

/**
 * The database to copy for a test that needs many rows in every table that grows, with the sample catalog. Creating it takes 20 seconds, and twice as long at
 * full size.
 */
export const manyRows = () =>
  sharedTemplate('many_rows', async ({ db, pool }) => {
    await seedSample(db)
    const client = await (pool as pg.Pool).connect()
    await seedBig(client, size, undefined, () => fillOtherTables(client))
    client.release(true)
    // The figures of an eighth of the customers are enough rows.
    await pool.query('delete from insight_marks where user_id % 8 > 0')
    await refreshAllInsight(db)
    await pool.query('vacuum (analyze) insight_marks, insight_events, insight_days, insight_months')
    await addUpCounts(db)
  })

/** Fills the tables that `seedBig` leaves empty. */
async function fillOtherTables(client: pg.ClientBase): Promise<void> {
  for (const [table, rows] of Object.entries({ ...lists, ...otherTables }))
    await client.query(`insert into ${table} ${rows}`)
  await client.query(`update tickets set assignee_id = ${firstUserId} where id % 5 = 0`)
  await client.query("update tickets set waiting_since = now() where id % 50 = 0 and status = 'open'")
  await client.query(
    `insert into report_cases (case_key, title, solved_at) select 'key ' || n, 'Channel ' || n, case when n % 50 > 0 then now() end ${fromTwentyThousand}`,
  )
  await client.query(`update reports set case_id = 1 + id % 20000`)
}
