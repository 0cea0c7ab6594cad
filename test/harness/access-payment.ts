import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'

/** The path parameters of endpoints about received payments. `marker` is in every row that is inserted for them. */
export const paymentRecords = async (app: TestApp, adminId: number, marker: string) => ({
  paymentId: await insertPayment(app, adminId, marker),
  statementId: await insertStatement(app, adminId, marker),
  emailId: await insertPaymentEmail(app, marker),
  eventId: await insertPaymentEvent(app, marker),
  processor: 'stripe',
  secretId: randomUUID(),
})

/** Inserts a payment of $1.00 from `payerName` with its case. Returns its id. */
async function insertPayment({ database }: TestApp, recordedBy: number, payerName: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payments (rail, source, amount, paid_on, payer_name, fallback_key, recorded_by)
     VALUES ('cash', 'typed', 100, '2026-11-20', $1, $1, $2) RETURNING id::int`,
    [payerName, recordedBy],
  )
  const id = rows[0]!.id
  await database.pool.query(
    "INSERT INTO payment_cases (payment_id, open_cents, blocked_by, alike) VALUES ($1, 100, '{}', 'cash 100 USD')",
    [id],
  )
  return id
}

/** Inserts a booked statement without payments. Returns its id. */
async function insertStatement({ database }: TestApp, uploadedBy: number, name: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO statement_files (sha256, name, format, new_lines, known_lines, skipped_lines, unreadable_lines, new_cents, uploaded_by)
     VALUES (sha256(convert_to($1, 'UTF8')), $1, 'ofx', 0, 0, 0, 0, 0, $2) RETURNING id`,
    [name, uploadedBy],
  )
  return rows[0]!.id
}

/** Inserts a payment email that could not be read and whose content is not stored. Returns its id. */
async function insertPaymentEmail({ database }: TestApp, subject: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payment_mails (source_key, mailbox, uid_validity, uid, message_id, sender, subject, bytes, received_at, auth, outcome, reason)
     VALUES ($1, 'pay', 1, 1, '<1@mail.example>', 'venmo@venmo.com', $1, 1, now(), 'unproven', 'unreadable', 'too_large') RETURNING id::int`,
    [subject],
  )
  return rows[0]!.id
}

/** Inserts an event of Stripe that an administrator has to review. Returns its id. */
async function insertPaymentEvent({ database }: TestApp, subject: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payment_events (processor, event_id, type, subject, signed_at, outcome, reason)
     VALUES ('stripe', 'evt_' || gen_random_uuid(), 'charge.dispute.funds_reinstated', $1, now(), 'review', 'reinstated') RETURNING id::int`,
    [subject],
  )
  return rows[0]!.id
}
