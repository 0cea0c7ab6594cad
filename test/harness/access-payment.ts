import type { TestApp } from './app.ts'

/** Inserts a payment of $1.00 from `payerName` with its case. Returns its id. */
export async function insertPayment({ database }: TestApp, recordedBy: number, payerName: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payments (rail, source, amount, paid_on, payer_name, fallback_key, recorded_by)
     VALUES ('cash', 'typed', 100, '2026-11-20', $1, $1, $2) RETURNING id::int`,
    [payerName, recordedBy],
  )
  const id = rows[0]!.id
  await database.pool.query("INSERT INTO payment_cases (payment_id, open_cents, blocked_by) VALUES ($1, 100, '{}')", [
    id,
  ])
  return id
}

/** Inserts a booked statement without payments. Returns its id. */
export async function insertStatement({ database }: TestApp, uploadedBy: number, name: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO statement_files (sha256, name, format, new_lines, known_lines, skipped_lines, unreadable_lines, new_cents, uploaded_by)
     VALUES (sha256(convert_to($1, 'UTF8')), $1, 'ofx', 0, 0, 0, 0, 0, $2) RETURNING id`,
    [name, uploadedBy],
  )
  return rows[0]!.id
}
