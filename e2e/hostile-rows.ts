import type { Pool } from 'pg'
import { hostileSettings, writeHostileDesk } from './hostile-desk-rows.ts'
import { hostileTexts } from './hostile-texts.ts'

const all = hostileTexts.join('\n')
const first = hostileTexts[0]!
const upTo = (maxLength: number, text: string) => [...text].slice(0, maxLength).join('').toWellFormed()
/** Pads a text to the minimum length of a column. */
const atLeast = (minLength: number, text: string) => text.padEnd(minLength, '.')

/** Writes every hostile text into every text column, bypassing all forms: rows of one customer, users, catalog and settings. Returns the ids of the users. */
export async function writeHostileRows(pool: Pool, userId: number, adminId: number): Promise<number[]> {
  const hostileIds: number[] = []
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row)
    return pool.query(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
      Object.values(row),
    )
  }
  const [plan] = (await pool.query<{ id: number }>('select id from plans order by id limit 1')).rows

  for (const [index, text] of hostileTexts.entries()) {
    const user = await insert('users', {
      username: `hostile-${index}`,
      email: upTo(240, `${index}${text}@example.org`),
      full_name: upTo(100, text),
      password_hash: 'none',
      referral_code: `HOSTILE${index}`,
      iptv_username: text,
      iptv_synced: true,
      plan_id: plan!.id,
      subscription_status: 'active',
    })
    hostileIds.push(user.rows[0].id)
    const { rows } = await insert('invoices', {
      invoice_number: `ORD-H${String(index).padStart(5, '0')}`,
      user_id: userId,
      plan_id: plan!.id,
      plan_name: text,
      plan_months: 1,
      plan_connections: 1,
      description: text,
      customer_details: `Email: ${text}`,
      notes: text,
      amount: 1499,
      payment_method: (['cashapp', 'venmo', 'creditcard'] as const)[index % 3],
      payment_note: upTo(120, text),
      confirmation_code: upTo(120, text),
      payment_link: index % 3 === 2 ? `https://pay.example/${encodeURIComponent(text)}`.slice(0, 500) : null,
      payment_reference: upTo(60, text),
      status: 'pending',
      // Half of the invoices are rejected with a reason; the others are submitted.
      ...(index % 2 === 0
        ? { rejection_reason: upTo(500, atLeast(3, text)), rejected_at: new Date() }
        : { submitted_at: new Date() }),
      expires_at: new Date(Date.now() + 86_400_000),
    })
    await writeHostileDesk(insert, text, {
      index,
      customerId: userId,
      hostileId: user.rows[0].id,
      adminId,
      invoiceId: rows[0].id,
    })
    await insert('invoice_lines', {
      invoice_id: rows[0].id,
      position: 1,
      kind: 'plan',
      description: text,
      amount: 1499,
    })
    await insert('reports', {
      user_id: userId,
      content_type: 'movie',
      content_name: text,
      issue: 'other',
      description: text,
      admin_notes: text,
      status: 'reviewing',
    })
    await insert('trial_requests', {
      user_id: userId,
      device: text,
      message: text,
      status: 'denied',
      trial_username: text,
      trial_server: text,
      admin_notes: text,
      response_date: new Date(),
    })
    await insert('inquiries', {
      name: upTo(100, atLeast(2, text)),
      email: upTo(254, `${text}@example.org`),
      message: upTo(2000, atLeast(10, text)),
      admin_notes: upTo(2000, text),
    })
    await insert('audit_log', {
      actor_id: adminId,
      action: text,
      target_type: text,
      target_id: text,
      before: { [text]: text },
      after: { [text]: [text, text] },
      request_id: text,
    })
    await insert('channels', { name: upTo(120, text), category: 'news', logo: '/favicon.svg', preview_url: null })
    await insert('faqs', { question: text, answer: text, order: 100 + index })
    await insert('device_categories', {
      name: text,
      icon: text,
      devices: JSON.stringify([text, text]),
      position: 100 + index,
    })
  }
  await insert('credit_transactions', {
    user_id: userId,
    amount: 1,
    description: all,
    type: 'admin_adjustment',
    created_by: adminId,
  })
  await pool.query('update users set account_credit = account_credit + 1 where id = $1', [userId])
  // The owner of these rows gets a hostile name and email address too, because the Admin Panel shows both.
  const own = '"><img src=x onerror=window.ran=1>'
  await pool.query('update users set full_name = $1, email = $2 where id = $3', [
    `${own}${upTo(60, first)}`,
    `${own}${first}@x.org`,
    userId,
  ])
  await pool.query('update line_panel set last_failure = $1, check_note = $1', [all])
  // Dialogs show one row, so these rows have all texts in one field.
  await insert('reports', {
    user_id: userId,
    content_type: 'movie',
    content_name: 'Every text',
    issue: 'other',
    description: all,
    status: 'pending',
  })
  await insert('trial_requests', {
    user_id: userId,
    device: 'Every text',
    message: all,
    status: 'pending',
    admin_notes: all,
  })
  await insert('inquiries', {
    name: 'Every text',
    email: 'every@example.org',
    message: upTo(2000, all),
    admin_notes: upTo(2000, all),
  })
  const everything = Object.fromEntries(hostileTexts.map((text) => [text, text]))
  await insert('audit_log', {
    actor_id: adminId,
    action: 'every.text',
    target_type: 'user',
    target_id: String(userId),
    before: everything,
    after: { deep: { [all]: all } },
  })
  await insert('plans', {
    name: upTo(120, hostileTexts[1]!),
    tier: 1,
    months: 1,
    connections: 6,
    price: 100,
    billing: hostileTexts[0],
    features: JSON.stringify(hostileTexts),
  })
  return hostileIds
}

/** Writes hostile texts into the settings of brand, phone, player and claims, and makes the app reload them. */
export async function writeHostileSettings(pool: Pool, site: Record<string, Record<string, unknown>>): Promise<void> {
  const image = hostileTexts.find((text) => text.startsWith('<img src=x onerror=window'))
  const hostile = {
    ...site,
    brand: { ...site.brand, name: '<i>TV</i>' },
    contact: { ...site.contact, phone: image },
    setup: {
      ...site.setup,
      appName: image,
      providerName: image,
      downloaderCode: image,
      demoUsername: image,
      demoPassword: image,
    },
    claims: { ...site.claims, support: image, trialHours: image, countries: image },
  }
  for (const [key, value] of Object.entries({ site: hostile, ...hostileSettings }))
    await pool.query(
      'insert into settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [key, JSON.stringify(value)],
    )
  await pool.query("select pg_notify('sauce', $1)", [JSON.stringify({ to: 'catalogue' })])
}
