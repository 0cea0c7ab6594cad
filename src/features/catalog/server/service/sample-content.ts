import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { sampleChannels } from '#server/db/sample/channels.ts'
import { sampleDeviceCategories } from '#server/db/sample/device-categories.ts'
import { sampleFaqs } from '#server/db/sample/faqs.ts'
import { samplePlans } from '#server/db/sample/plans.ts'
import { conflict } from '#server/errors.ts'
import { type SampleCounts, type SampleKind, sampleKinds } from '../../admin-contract.ts'
import type { Editor } from './catalog-resource.ts'
import { publishChange } from './publish-change.ts'

type Sample = {
  table: SQL
  /** The target type in the audit log. */
  type: string
  rows: readonly object[]
  /** The column definitions of `rows` for `jsonb_to_recordset`. */
  fields: SQL
  /** Whether entry `t` corresponds to sample row `s`. */
  isNamed: SQL
  /** Whether the entry also has the same content. */
  isSame: SQL
  isUsed: SQL
}

const samples: Record<SampleKind, Sample> = {
  plans: {
    table: sql`plans`,
    type: 'plan',
    rows: samplePlans,
    fields: sql`name text, tier integer, connections integer, price integer, features jsonb, popular boolean`,
    isNamed: sql`t.name = s.name`,
    isSame: sql`(t.tier, t.connections, t.price, t.features, t.popular) = (s.tier, s.connections, s.price, s.features, coalesce(s.popular, false))`,
    isUsed: sql`(exists (select from invoices where plan_id = t.id) or exists (select from users where plan_id = t.id)
      or exists (select from activations where plan_id = t.id) or exists (select from segments where plan_id = t.id)
      or exists (select from inquiries where plan_id = t.id) or exists (select from settings where key = 'provisioning' and value -> 'packages' ? t.id::text))`,
  },
  channels: {
    table: sql`channels`,
    type: 'channel',
    rows: sampleChannels,
    fields: sql`name text, category text, logo text, "previewUrl" text, featured boolean`,
    isNamed: sql`t.name = s.name and t.category = s.category`,
    isSame: sql`(t.logo = s.logo and t.preview_url is not distinct from s."previewUrl" and t.featured = s.featured)`,
    isUsed: sql`(t.panel_stream is not null or exists (select from watchlist where channel_id = t.id))`,
  },
  deviceCategories: {
    table: sql`device_categories`,
    type: 'device_category',
    rows: sampleDeviceCategories,
    fields: sql`name text, icon text, devices jsonb`,
    isNamed: sql`t.name = s.name`,
    isSame: sql`(t.icon, t.devices) = (s.icon, s.devices)`,
    isUsed: sql`false`,
  },
  faqs: {
    table: sql`faqs`,
    type: 'faq',
    rows: sampleFaqs,
    fields: sql`question text, answer text`,
    isNamed: sql`t.question = s.question`,
    isSame: sql`t.answer = s.answer`,
    isUsed: sql`false`,
  },
}
const removalAction = 'catalog.remove_sample'

/** Selects the sample entries of a list. `removable`: never edited, not created by an administrator and not in use. */
const sampleEntries = ({ table, type, rows, fields, isNamed, isSame, isUsed }: Sample): SQL => sql`
  select t.id, (t.version = 1 and not t.hidden and ${isSame} and not ${isUsed}
    and not exists (select from audit_log where target_id = t.id::text and target_type = ${type} and action = ${`${type}.create`})) as removable
  from ${table} t join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (${fields}) on ${isNamed}`

/** Counts the sample entries that are left in each list. */
export async function countSample(db: Db | Tx): Promise<SampleCounts> {
  const counts: Partial<SampleCounts> = {}
  for (const kind of sampleKinds) {
    const { rows } = await db.execute<{ removable: number; kept: number }>(
      sql`select count(*) filter (where removable)::int as removable, count(*) filter (where not removable)::int as kept from (${sampleEntries(samples[kind])}) as entries`,
    )
    counts[kind] = rows[0]!
  }
  return counts as SampleCounts
}

/**
 * Removes the sample entries that were never edited and are not in use, in one transaction. `expected` is the number of removable entries of each list
 * that the administrator was shown. Throws 409 and removes nothing when the numbers have changed. Returns the counts that are left.
 */
export async function removeSample(
  db: Db,
  expected: Record<SampleKind, number>,
  editor: Editor,
): Promise<SampleCounts> {
  const changed = () =>
    conflict(
      'stale',
      'The sample content has changed since this page was loaded. Nothing was removed; please check it again.',
    )
  try {
    return await inTransaction(db, async (tx) => {
      const removed: Record<string, number> = {}
      for (const kind of sampleKinds) {
        const sample = samples[kind]
        const { rowCount } = await tx.execute(
          sql`delete from ${sample.table} where id in (select id from (${sampleEntries(sample)}) as entries where removable)`,
        )
        removed[kind] = rowCount ?? 0
        if (removed[kind] !== expected[kind]) return changed()
      }
      await publishChange(tx, editor, ['plan', 'channel', 'device_category', 'faq', 'sample_content'], {
        action: removalAction,
        targetType: 'catalog',
        targetId: 'sample',
        after: { removed },
      })
      return countSample(tx)
    })
  } catch (error) {
    // A concurrent transaction has started to use an entry.
    if (violationOf(error)?.code === '23503') return changed()
    throw error
  }
}

/** Whether an administrator has removed the sample content. Later starts then do not load it again. */
export async function wasSampleRemoved(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select from audit_log where action = ${removalAction} limit 1`)
  return rows.length > 0
}
