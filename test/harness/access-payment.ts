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
