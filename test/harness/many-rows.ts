import type pg from 'pg'

const firstUserId = '(select min(id) from users)'
const firstCustomerId = "(select min(id) from users where referral_code like 'BIG%')"
const serial = 'from generate_series(1, :30000) n'
const fromTwentyThousand = 'from generate_series(1, :20000) n'

/** Statements for the lists that `seedBig` does not fill. */
const lists = [
  `insert into audit_log (at, actor_id, action, target_type, target_id)
    select now() - n * interval '1 hour', case when n % 50 = 0 then ${firstUserId} end, 'payment.' || n % 7, case when n % 3 = 0 then 'user' else 'invoice' end, n::text ${serial}`,
  `insert into inquiries (name, email, message, status, created_at) select 'Anna ' || n, 'a' || n || '@gmail.com', 'How many channels are there in ' || n,
    case when n % 9 = 0 then 'open' else 'answered' end, now() - n * interval '1 hour' ${serial}`,
  `insert into mails (dedupe_key, user_id, recipient, template, data, status) select 'k' || n, ${firstUserId} + n % 1000, 'a' || n || '@gmail.com', 'verify-email', '{}',
    case when n % 9 = 0 then 'failed' else 'sent' end ${serial}`,
]
const hash = (word: string) => `sha256(('${word}' || n)::bytea)`
const paid =
  "from (select *, row_number() over (order by id) n from invoices where status = 'paid') sold where n <= :20000"
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
  credit_transactions: `(user_id, amount, description, type, created_by) select ${firstCustomerId} + n, 100, 'A gift', 'admin_adjustment', ${firstUserId} ${fromTwentyThousand}`,
  referral_claims: `(referee_id, referrer_id) select ${firstCustomerId} + n, ${firstCustomerId} + n / 4 ${fromTwentyThousand}`,
  watchlist: `(user_id, channel_id) select ${firstCustomerId} + n, (select min(id) from channels) ${fromTwentyThousand}`,
  line_drift: `(kind, user_id, username) select 'no_line', ${firstCustomerId} + n, 'line' || n ${fromTwentyThousand}`,
}

/**
 * Fills the lists that `seedBig` leaves out; with `all` every table that grows with customers. Each table gets `share` (0 to 1) of its 20,000
 * to 30,000 rows.
 */
export async function seedOtherTables(client: pg.ClientBase, { all = false, share = 1 } = {}): Promise<void> {
  const others = Object.entries(otherTables).map(([table, rows]) => `insert into ${table} ${rows}`)
  for (const statement of [...lists, ...(all ? others : [])])
    await client.query(statement.replace(/:(\d+)/g, (_, rows: string) => String(Math.ceil(Number(rows) * share))))
  await client.query('vacuum (analyze)')
}
