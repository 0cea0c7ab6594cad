import type pg from 'pg'

export const size = {
  users: 1_000_000,
  invoices: 3_000_000,
  reports: 200_000,
  trials: 300_000,
  lineJobs: 1_000_000,
  /** Together with the tickets of the reports, these make a million tickets. */
  inquiries: 800_000,
}

// Multiplying by a prime spreads the values, so that neighboring values in one column are not neighbors in another.
const spread = (n: string, limit: number | string) => `((${n})::bigint * 7919 % ${limit})`
const oneOf = (n: string, words: string[]) =>
  `(array[${words.map((word) => `'${word}'`).join(',')}])[1 + ${spread(n, words.length)}]`
const first = [
  'anna',
  'ben',
  'carla',
  'david',
  'elena',
  'farid',
  'grace',
  'hugo',
  'ines',
  'jonas',
  'keiko',
  'liam',
  'maria',
  'noah',
  'olga',
  'pedro',
  'quinn',
]
const last = [
  'smith',
  'garcia',
  'mueller',
  'rossi',
  'tanaka',
  'kowalski',
  'silva',
  'novak',
  'jensen',
  'okafor',
  'dubois',
  'ivanov',
  'kim',
]
const hosts = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'yahoo.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'proton.me',
  'example.org',
  'mail.example.net',
]
const titles = [
  'Cinema One',
  'Goal TV',
  'News Desk',
  'Kids Corner',
  'Night Train',
  'The Long Road',
  'River Tales',
  'City Lights',
]
// The times are spread over five years of growth, so most rows are recent.
const moment = (n: string, of: number) =>
  `now() - interval '5 years' * (1 - sqrt((${n})::float8 / ${of})) - interval '1 minute'`

const users = (count: number) => `
  insert into users (username, email, password_hash, full_name, created_at, subscription_status, plan_id, subscription_start_date, subscription_end_date,
    iptv_username, iptv_max_connections, referral_code)
  select name, name || '@' || ${oneOf('n / 3', hosts)}, 'none', case when n % 3 = 0 then initcap(replace(name, '.', ' ')) end, created_at, status,
    case when status in ('active', 'expired') then 1 + n % 20 end,
    case when status in ('active', 'expired') then created_at end, case when status in ('active', 'expired') then created_at + interval '6 years' end,
    case when n % 4 = 0 then 'line' || n end, case when n % 4 = 0 then 1 + n % 5 end, 'BIG' || n
  from (select n, ${oneOf('n', first)} || '.' || ${oneOf('n / 7', last)} || n as name, ${moment('n', count)} as created_at,
    ${oneOf('n', ['active', 'active', 'active', 'active', 'expired', 'expired', 'none', 'none', 'none', 'pending', 'cancelled'])} as status
    from generate_series(1, ${count}) n) made`

const digit = (place: number) =>
  `substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + (code / ${36 ** place} % 36)::int, 1)`
const invoices = (count: number, people: number) => `
  insert into invoices (invoice_number, user_id, plan_id, plan_name, plan_months, plan_connections, description, customer_details, amount,
    payment_method, payment_note, confirmation_code, status, created_at, submitted_at, paid_at, expires_at)
  select 'ORD-' || ${[5, 4, 3, 2, 1, 0].map(digit).join(' || ')}, first_user + ${spread('n', people)}, plans.id, plans.name, plans.months, plans.connections,
    plans.name, 'Email: customer@example.org', plans.price - (n % 4) * 100, case when status in ('pending', 'paid') then ${oneOf('n', ['cashapp', 'venmo', 'creditcard'])} end,
    case when status in ('pending', 'paid') then 'SAUCE: ' || case when n % 10 = 0 then ${spread('n', 10_000_019)}::text else 'ORD-' || ${[5, 4, 3, 2, 1, 0].map(digit).join(' || ')} end end,
    case when status in ('pending', 'paid') then 'C' || upper(left(md5(n::text), 11)) end, status, created_at,
    case when status in ('pending', 'paid') then created_at end, case when status = 'paid' then created_at + interval '3 hours' end,
    case when status in ('draft', 'pending') then now() + interval '7 days' else created_at + interval '7 days' end
  from (select n, n::bigint * 1299709 % ${36 ** 6} as code, ${moment('n', count)} as created_at,
    case when n <= ${people} and n % 100 = 0 then 'draft' when n % 150 = 1 then 'pending' when n % 100 < 75 then 'paid' when n % 100 < 92 then 'expired' else 'cancelled' end as status
    from generate_series(1, ${count}) n) made
  cross join (select min(id) as first_user from users where referral_code like 'BIG%') people
  join plans on plans.id = (select min(id) from plans) + n % 20`

const reports = (count: number, people: number) => `
  insert into reports (user_id, content_type, content_name, issue, status, created_at, resolved_at)
  select first_user + ${spread('n', people)}, ${oneOf('n', ['channel', 'movie', 'tvshow'])}, ${oneOf('n / 5', titles)} || ' ' || n % 500, 'buffering', status, created_at,
    case when status = 'resolved' then created_at + interval '1 day' end
  from (select n, ${oneOf('n', ['resolved', 'resolved', 'resolved', 'dismissed', 'reviewing', 'pending'])} as status, ${moment('n', count)} as created_at
    from generate_series(1, ${count}) n) made
  cross join (select min(id) as first_user from users where referral_code like 'BIG%') people`

const trials = (count: number, people: number) => `
  insert into trial_requests (user_id, request_date, status, message, device, response_date)
  select first_user + ${spread('n', people)}, created_at, status, 'I would like to see the sports channels first', ${oneOf('n', ['Fire TV', 'Android TV', 'iPhone', 'Web'])},
    case when status = 'denied' then created_at end
  from (select n, case when n % 6 = 0 then 'pending' else 'denied' end as status, ${moment('n', count)} as created_at from generate_series(1, ${count}) n) made
  cross join (select min(id) as first_user from users where referral_code like 'BIG%') people`

/** Every second customer has a line, and most provisioning jobs are done. */
const lines = (people: number) => `
  insert into lines (user_id, username, password, panel, line_ref)
  select first_user + 2 * n, 'line' || n || 'of', 'v1:none', 'bench', n::text from generate_series(0, ${Math.floor(people / 2) - 1}) n
  cross join (select min(id) as first_user from users where referral_code like 'BIG%') people`
const lineJobs = (count: number, people: number) => `
  insert into line_jobs (user_id, cause, cause_key, invoice_id, state, task, finished_at)
  select first_user + ${spread('n', people)}, case when n % 3 > 0 then 'purchase' else 'end' end, 'big:' || n, case when n % 3 > 0 then first_invoice + n end,
    case when n % 50 = 0 then 'queued' when n % 50 = 1 then 'rejected' else 'done' end, case when n % 50 = 0 then 'manual' when n % 50 = 1 then 'package' end,
    case when n % 50 > 1 then now() end
  from generate_series(1, ${count}) n
  cross join (select min(id) as first_user from users where referral_code like 'BIG%') people
  cross join (select min(id) as first_invoice from invoices) sold`

const activations = `
  insert into activations (user_id, invoice_id, kind, plan_id, effective_at, after)
  select user_id, id, 'purchase', plan_id, paid_at, '{}' from invoices where status = 'paid'`
/**
 * The periods of a customer follow one another: for every third customer without gaps, for the others with gaps of about four or eight days. Months
 * of different length shorten a gap by up to three days, and periods must not overlap.
 */
const segments = `
  insert into segments (user_id, activation_id, plan_id, months, connections, starts_at, ends_at, period_days, list_cents, paid_cents, begun)
  select user_id, id, plan_id, plan_months, plan_connections, starts_at, starts_at + make_interval(months => plan_months),
    extract(day from starts_at + make_interval(months => plan_months) - starts_at)::int, amount, amount, true
  from (select a.id, a.user_id, a.plan_id, i.plan_months, i.plan_connections, i.amount, first_value(i.paid_at) over payments
      + make_interval(months => (sum(i.plan_months) over payments - i.plan_months)::int, days => (a.user_id % 3 * 4 * row_number() over payments)::int) as starts_at
    from activations a join invoices i on i.id = a.invoice_id window payments as (partition by a.user_id order by i.paid_at, i.id)) bought`

/** Adds the paid time of all paid invoices. */
export async function seedPaidTime(client: pg.ClientBase): Promise<void> {
  for (const text of ['set statement_timeout = 0', activations, segments, 'vacuum (analyze) activations, segments'])
    await client.query(text)
}

const inquiries = (count: number) => `
  insert into inquiries (name, email, message, status, created_at)
  select initcap(${oneOf('n', first)}) || ' ' || n, ${oneOf('n', first)} || n || '@gmail.com', 'How do I set up device ' || n || '?',
    case when n % 40 = 0 then 'open' else 'answered' end, now() - n * interval '1 minute' from generate_series(1, ${count}) n`

/** Adds inquiries with their tickets. Some tickets are assigned, and some have a new message that is not answered yet. */
export async function seedTickets(
  client: pg.ClientBase,
  { inquiries: count }: Pick<typeof size, 'inquiries'> = size,
): Promise<void> {
  for (const text of [
    'set statement_timeout = 0',
    inquiries(count),
    "update tickets set assignee_id = (select min(id) from users where role = 'admin') where id % 5 = 0",
    "update tickets set waiting_since = last_message_at where status = 'open' and id % 3 = 0",
    'vacuum (analyze) inquiries, tickets, ticket_messages',
  ])
    await client.query(text)
}

/** Adds lines to data that were created before lines existed. */
export async function seedLines(
  client: pg.ClientBase,
  { users: people, lineJobs: count }: Pick<typeof size, 'users' | 'lineJobs'> = size,
): Promise<void> {
  for (const text of [
    'set statement_timeout = 0',
    lines(people),
    lineJobs(count, people),
    'vacuum (analyze) lines, line_jobs',
  ])
    await client.query(text)
}

/**
 * Fills a database with rows in a realistic distribution, and vacuums and analyzes it. It must be migrated and contain the sample plans. GIN indexes are
 * dropped first and recreated at the end, because that is faster. `fillMore` adds further rows before they are recreated.
 */
export async function seedBig(
  client: pg.ClientBase,
  { users: people, ...counts }: typeof size = size,
  say: (text: string) => void = () => {},
  fillMore: () => Promise<void> = async () => {},
): Promise<void> {
  await client.query("set synchronous_commit = off; set statement_timeout = 0; set maintenance_work_mem = '512MB'")
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    "select indexname, indexdef from pg_indexes where schemaname = current_schema() and indexdef like '%USING gin%'",
  )
  for (const { indexname } of rows) await client.query(`drop index ${client.escapeIdentifier(indexname)}`)
  const steps: [string, string][] = [
    [`${people} users`, users(people)],
    [`${counts.invoices} invoices`, invoices(counts.invoices, people)],
    [`${counts.reports} reports`, reports(counts.reports, people)],
    [`${counts.trials} trial requests`, trials(counts.trials, people)],
    [`${people / 2} lines`, lines(people)],
    [`${counts.lineJobs} provisioning jobs`, lineJobs(counts.lineJobs, people)],
  ]
  const indexes = rows.map(({ indexname, indexdef }): [string, string] => [indexname, indexdef])
  const run = async (some: [string, string][]) => {
    for (const [name, text] of some) {
      const started = performance.now()
      await client.query(text)
      say(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
    }
  }
  await run(steps)
  await fillMore()
  await run([...indexes, ['statistics', 'vacuum (analyze)']])
}
