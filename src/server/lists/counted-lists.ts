import { type SQL, sql } from 'drizzle-orm'

/**
 * How a sort key is divided into buckets. `ofRow` is the SQL expression for the bucket of row `r`, the same as in the trigger functions in
 * `migrations/0042-baseline/15-list-counters.sql`. Sorted by their bytes, the buckets are in the order of the key. `begin` returns where a bucket begins: its
 * lowest sort key, followed by its lowest id if the bucket is also limited to a range of ids.
 */
type Division = { ofRow: string; begin: (bucket: string) => (SQL | string | number)[] }

const startOfWeek = (bucket: string): SQL => sql`${bucket}::date::timestamp at time zone 'UTC'`
const weekOf = (column: string) => `to_char(date_trunc('week', r.${column} AT TIME ZONE 'UTC'), 'YYYY-MM-DD')`

/** A timestamp, divided by weeks in UTC. */
const weeks = (column: string): Division => ({ ofRow: weekOf(column), begin: (bucket) => [startOfWeek(bucket)] })

/** A timestamp that may be null, divided by weeks in UTC. Rows with null come last and are divided into ranges of 2^14 ids. */
const weeksThenNull = (column: string): Division => ({
  ofRow: `coalesce(${weekOf(column)}, 'none ' || lpad((r.id >> 14)::text, 6, '0'))`,
  begin: (bucket) =>
    bucket.startsWith('none ')
      ? [sql`'infinity'::timestamptz`, Number(bucket.slice('none '.length)) * 2 ** 14]
      : [startOfWeek(bucket)],
})

/** A string, divided by its first `length` characters. */
const prefixes = (text: string, length: number): Division => ({
  ofRow: `left(${text}, ${length})`,
  begin: (bucket) => [bucket],
})

/** The id itself, divided into ranges of 2^12. */
const ids: Division = {
  ofRow: `lpad((r.id >> 12)::text, 16, '0')`,
  begin: (bucket) => [Number(bucket) * 2 ** 12],
}

/** An amount in cents with up to eight digits. The rows of each amount are divided into ranges of 2^16 ids, since many rows may have the same amount. */
const amounts = (column: string): Division => ({
  ofRow: `lpad(r.${column}::text, 8, '0') || ' ' || lpad((r.id >> 16)::text, 5, '0')`,
  begin: (bucket) => [Number(bucket.slice(0, 8)), Number(bucket.slice(9)) * 2 ** 16],
})

/**
 * The lists whose rows are counted, by table name. `status` and `head` are the SQL expressions by which the counts are grouped; `divisions` divide the sort
 * keys, in the order of `row_changes.steps`. A test compares this with the trigger functions in the database; docs/lists.md explains it.
 */
export const countedLists = {
  users: {
    status: 'r.subscription_status',
    head: 'r.role',
    divisions: {
      createdAt: weeks('created_at'),
      username: prefixes('lower(r.username)', 3),
      email: prefixes('lower(r.email)', 3),
      subscriptionEndDate: weeksThenNull('subscription_end_date'),
    },
  },
  invoices: {
    status: 'r.status',
    head: `''`,
    divisions: {
      createdAt: weeks('created_at'),
      amount: amounts('amount'),
      invoiceNumber: prefixes('r.invoice_number', 6),
    },
  },
  reports: { status: 'r.status', head: `''`, divisions: { createdAt: weeks('created_at') } },
  trial_requests: { status: 'r.status', head: `''`, divisions: { requestDate: weeks('request_date') } },
  inquiries: { status: 'r.status', head: `''`, divisions: { createdAt: weeks('created_at') } },
  // Emails and line jobs are sorted by their ids, which is the order of their creation.
  mails: { status: 'r.status', head: `''`, divisions: { createdAt: ids } },
  line_jobs: {
    status: 'r.state',
    head: `CASE WHEN r.task IS NULL THEN '' ELSE 'task' END`,
    divisions: { createdAt: ids },
  },
  tickets: {
    status: 'r.status',
    head: `coalesce(r.assignee_id, 0)::text`,
    divisions: { lastMessageAt: weeks('last_message_at') },
  },
  audit_log: { status: 'r.action', head: 'r.target_type', divisions: { at: weeks('at') } },
} satisfies Record<string, { status: string; head: string; divisions: Record<string, Division> }>

export type CountedList = keyof typeof countedLists

/** The buckets of one sort of a list. */
export type SortBuckets = {
  /** The position of the buckets in `row_changes.steps`, counted from 1. `row_counts.way` contains the same number. */
  position: number
  /** The column that precedes the divided key in the sort. */
  first: 'status' | 'head' | undefined
  begin: Division['begin']
}

/** Returns the buckets of a list for a sort by the key of `division`, or by `first` and then that key. */
export function sortBuckets<List extends CountedList>(
  list: List,
  division: keyof (typeof countedLists)[List]['divisions'] & string,
  first?: 'status' | 'head',
): SortBuckets {
  const divisions: Record<string, Division> = countedLists[list].divisions
  return { position: Object.keys(divisions).indexOf(division) + 1, first, begin: divisions[division]!.begin }
}
