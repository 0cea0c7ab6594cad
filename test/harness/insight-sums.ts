import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'

// The business figures, computed from invoices, credit notes, ledger, segments and trials without the rollups: the state of each customer at the end of each
// day is compared with the day before.

const dayOf = (at: string) => new Date(at).toISOString().slice(0, 10)
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
const query = async <Row>(tx: Tx, text: ReturnType<typeof sql>) => (await tx.execute(text)).rows as Row[]

type Piece = {
  user: number
  from: string
  to: string
  mrr: number
  plan: number
  source: number
  bought: boolean
  refunded: boolean
}
/** A customer's state at the end of a day. */
type State = Pick<Piece, 'mrr' | 'plan' | 'source' | 'bought' | 'refunded'> | undefined
export type Change = { user: number; day: string; figure: string; plan: number; reason: string; cents: number }
export type Sums = {
  /** All events, each with its day. */
  changes: Change[]
  /** Returns the number of subscribers and their monthly value at the end of a day. */
  levelAt: (day: string, isOf?: (user: number) => boolean) => { subscribers: number; mrrCents: number }
  cohortOf: Map<number, string>
}

async function readPieces(tx: Tx): Promise<Piece[]> {
  type Row = {
    id: number
    user_id: number
    starts_at: string
    ends_at: string
    paid_cents: number
    period_days: number
    months: number
    plan_id: number
    activation_id: number
    kind: string
  }
  const segments = await query<Row>(
    tx,
    sql`SELECT s.*, a.kind FROM segments s JOIN activations a ON a.id = s.activation_id WHERE replaced_by IS NULL AND NOT withdrawn`,
  )
  type Refund = {
    id: number
    user_id: number
    paid_at: string
    issued_at: string
    cents: number
    plan_months: number
    plan_id: number
    ends: string
  }
  const refunds = await query<Refund>(
    tx,
    sql`SELECT i.*, n.issued_at, n.amount + n.credit_returned AS cents, i.paid_at + make_interval(months => i.plan_months) AS ends
    FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id WHERE i.kind = 'purchase' ORDER BY i.id DESC`,
  )
  return [
    ...segments.map((row): Piece => {
      const days = (Date.parse(row.ends_at) - Date.parse(row.starts_at)) / 86_400_000
      return {
        ...{ user: row.user_id, from: dayOf(row.starts_at), to: dayOf(row.ends_at), plan: row.plan_id },
        ...{ source: Number(row.activation_id), bought: row.kind === 'purchase', refunded: false },
        mrr: Math.round((row.paid_cents * row.period_days) / days / row.months),
      }
    }),
    ...refunds.map(
      (row): Piece => ({
        ...{
          user: row.user_id,
          from: dayOf(row.paid_at),
          plan: row.plan_id,
          source: -row.id,
          bought: true,
          refunded: true,
        },
        to: [dayOf(row.issued_at), dayOf(row.ends)].sort()[0]!,
        mrr: Math.round(row.cents / row.plan_months),
      }),
    ),
  ]
}

/** Computes all events of all customers in the database. */
export async function sumsFromRows(tx: Tx): Promise<Sums> {
  const pieces = await readPieces(tx)
  const stateOf = (user: number, day: string): State =>
    pieces.find((piece) => piece.user === user && piece.from <= day && day < piece.to)
  const changes: Change[] = []
  const add = (user: number, at: string, figure: string, cents: number, plan = 0, reason = '') =>
    changes.push({ user, day: dayOf(at), figure, plan, reason, cents })

  type Paid = { user_id: number; paid_at: string; amount: number; referral_discount: number; status: string }
  const paid = await query<Paid>(tx, sql`SELECT * FROM invoices WHERE status IN ('paid', 'refunded') ORDER BY paid_at`)
  const cohortOf = new Map<number, string>()
  for (const row of paid) {
    if (row.amount > 0) add(row.user_id, row.paid_at, 'payment', row.amount)
    if (row.amount > 0 && !cohortOf.has(row.user_id)) {
      cohortOf.set(row.user_id, dayOf(row.paid_at).slice(0, 7))
      add(row.user_id, row.paid_at, 'first_payment', 0)
    }
    if (row.status === 'paid' && row.referral_discount > 0)
      add(row.user_id, row.paid_at, 'discount', row.referral_discount)
  }
  for (const row of await query<{ user_id: number; issued_at: string; amount: number }>(
    tx,
    sql`SELECT * FROM credit_notes WHERE amount > 0`,
  ))
    add(row.user_id, row.issued_at, 'refund', row.amount)
  for (const row of await query<{ user_id: number; created_at: string; amount: number }>(
    tx,
    sql`SELECT * FROM credit_transactions WHERE type = 'referral_bonus'`,
  ))
    add(row.user_id, row.created_at, 'bonus', row.amount)
  type Trial = { user_id: number; request_date: string; status: string }
  const trials = Map.groupBy(
    await query<Trial>(tx, sql`SELECT * FROM trial_requests ORDER BY request_date`),
    (row) => row.user_id,
  )
  for (const [user, [first, ...more]] of trials) {
    add(user, first!.request_date, 'trial', 0)
    if (![first!, ...more].some(({ status }) => status === 'approved')) continue
    add(user, first!.request_date, 'trial_approved', 0)
    if (paid.some((row) => row.user_id === user && row.amount > 0 && row.paid_at >= first!.request_date))
      add(user, first!.request_date, 'trial_paid', 0)
  }

  const withdrawn = await query<{ user_id: number; starts_at: string }>(
    tx,
    sql`SELECT * FROM segments WHERE replaced_by IS NULL AND withdrawn`,
  )
  for (const [user, own] of Map.groupBy(pieces, (piece) => piece.user)) {
    const [first, last] = [
      own.map(({ from }) => from).sort()[0]!,
      own
        .map(({ to }) => to)
        .sort()
        .at(-1)!,
    ]
    let before: State
    let isKnown = false
    for (let day = first; day <= last; day = dayAfter(day)) {
      const now = stateOf(user, day)
      if (now && !before) add(user, day, isKnown ? 'winback' : 'new', now.mrr)
      if (!now && before) {
        const isEnded = withdrawn.some((row) => row.user_id === user && dayOf(row.starts_at) === day)
        add(
          user,
          day,
          'churn',
          before.mrr,
          before.plan,
          before.refunded ? 'refunded' : isEnded ? 'ended' : before.mrr === 0 ? 'granted' : 'expired',
        )
      }
      if (now && before) {
        if (now.mrr !== before.mrr)
          add(user, day, now.mrr > before.mrr ? 'expansion' : 'contraction', Math.abs(now.mrr - before.mrr))
        if (now.source !== before.source && now.bought && !before.refunded) add(user, day, 'renewal', now.mrr)
      }
      isKnown ||= now !== undefined
      before = now
    }
  }
  const customers = [...new Set(pieces.map(({ user }) => user))]
  const levelAt: Sums['levelAt'] = (day, isOf = () => true) => {
    const states = customers.filter(isOf).map((user) => stateOf(user, day))
    return {
      subscribers: states.filter((state) => state !== undefined).length,
      mrrCents: states.reduce((sum, state) => sum + (state?.mrr ?? 0), 0),
    }
  }
  return { changes, levelAt, cohortOf }
}
