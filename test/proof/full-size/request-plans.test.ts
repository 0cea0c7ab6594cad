import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlans } from '#features/catalog/contract.ts'
import { endpoints } from '#server/app.ts'
import { clientConfig } from '#server/db/connect.ts'
import type { Column } from '../../harness/access-principals.ts'
import { rows } from '../../harness/access-rows.ts'
import { createWorld, type World } from '../../harness/access-world.ts'
import { buildApp, type TestApp } from '../../harness/app.ts'
import { fewestRows, manyRows } from '../../harness/many-rows.ts'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Node[]
}
type Statement = { text: string; values: unknown[] }

/** CSV exports read whole tables on purpose. */
const readsEverything = /^GET \/admin\/[\w-]+\.csv$/
/** The counts of differences from the panel and of the audience of an announcement read everything on purpose. */
const isCounted = (text: string) =>
  text.startsWith('select count(*) filter (where not kept)') ||
  text.trim().startsWith('select count(*) filter (where wants and confirmed)')
/** Tables that grow only with the catalog and the settings, or whose rows are removed regularly. */
const staysSmall = new Set([
  'announcements',
  'api_keys',
  'brand_versions',
  'canned_replies',
  'channel_guides',
  'channel_logos',
  'channel_rights',
  'channel_streams',
  'channels',
  'device_categories',
  'device_codes',
  'faqs',
  'desk_presence',
  'guide_channels',
  'guide_sources',
  'guide_upload_parts',
  'guide_uploads',
  'images',
  'import_mappings',
  'import_runs',
  'incident_targets',
  'incident_updates',
  'incidents',
  'insight_days',
  'insight_marks',
  'insight_months',
  'installation',
  'line_move_runs',
  'line_panel',
  'mailbox_reader',
  'migrations',
  'panel_guide_calls',
  'panel_plans',
  'panels',
  'payment_automation',
  'payment_processors',
  'payment_processor_secrets',
  'plans',
  // Open cases are few, and those that are solved are found by their reports.
  'report_spellings',
  'presence',
  'rate_limits',
  'row_changes',
  'row_counts',
  'saved_views',
  'setting_secrets',
  'self_check_verdicts',
  'settings',
  'staff_role_permissions',
  'staff_roles',
  'stream_panels',
  'setup_guides',
  'statement_mappings',
  'watch_channels',
  'watching',
  'webhook_secrets',
  'webhooks',
])

let app: TestApp
let plans: World['plans']
/** The world that all requests without writes share. */
let readOnly: World
let explain: pg.Client
const explained = new Set<string>()
let recorded: Statement[] | undefined
const { query } = pg.Client.prototype
beforeAll(async () => {
  app = await buildApp({ template: await manyRows() })
  const sold = await app.client().call(listPlans, {})
  plans = [1, 2].map((connections) => sold.find((plan) => plan.connections === connections && plan.months === 1)!)
  readOnly = await createWorld(app, plans, { withPrincipals: false })
  explain = new pg.Client(clientConfig(app.database.address))
  await explain.connect()
  pg.Client.prototype.query = function recordStatement(
    this: pg.Client,
    first: string | { text: string; values?: unknown[] },
    values?: unknown[],
    ...rest: unknown[]
  ) {
    if (this !== explain)
      recorded?.push(
        typeof first === 'string'
          ? { text: first, values: values ?? [] }
          : { text: first.text, values: first.values ?? values ?? [] },
      )
    return (query as (...args: unknown[]) => unknown).call(this, first, values, ...rest)
  } as typeof query
}, 180_000)
afterAll(async () => {
  pg.Client.prototype.query = query
  await explain?.end()
  await app.close()
})

/** Returns the tables that a plan scans whole: sequentially, or through an index without a condition or a limit. */
async function scansOf({ text, values }: Statement, cheapest: boolean): Promise<Set<string>> {
  const onOrOff = cheapest ? 'on' : 'off'
  await explain.query(
    `set enable_seqscan = ${onOrOff}; set enable_hashjoin = ${onOrOff}; set enable_mergejoin = ${onOrOff}`,
  )
  const { rows: planRows } = await explain.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
    text: `explain (format json) ${text}`,
    values,
  })
  const found = new Set<string>()
  const walk = (node: Node, isLimited: boolean) => {
    const table = node['Relation Name']
    const isWhole =
      node['Node Type'] === 'Seq Scan' ||
      (/^(Index|Index Only) Scan$/.test(node['Node Type']) && !node['Index Cond'] && !isLimited)
    // PostgreSQL's own catalogs do not grow with customers, only with the test databases beside this one.
    if (table && isWhole && !staysSmall.has(table) && !table.startsWith('pg_')) found.add(table)
    for (const inner of node.Plans ?? []) walk(inner, isLimited || node['Node Type'] === 'Limit')
  }
  walk(planRows[0]!['QUERY PLAN'][0]!.Plan, false)
  return found
}

/** Returns the tables that a statement scans whole even with sequential scans disabled. Explains each statement text once and does not execute it. */
async function unavoidableScans(statement: Statement): Promise<string[]> {
  const { text } = statement
  if (explained.has(text) || !/^\s*(with|select|insert|update|delete)\b/i.test(text) || isCounted(text)) return []
  explained.add(text)
  const byDefault = await scansOf(statement, true)
  const withoutScans = byDefault.size > 0 ? await scansOf(statement, false) : byDefault
  return [...byDefault]
    .filter((table) => withoutScans.has(table))
    .map((table) => `${table} is scanned whole by: ${text}`)
}

test('every growing table is big in this test', async () => {
  const { rows: tables } = await app.database.pool.query<{ name: string; rows: number }>(
    "select relname as name, reltuples::int as rows from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace",
  )
  expect(
    tables
      .filter(({ rows: count }) => count < fewestRows)
      .map(({ name }) => name)
      .filter((name) => !staysSmall.has(name)),
  ).toEqual([])
})

test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s scans no big table for any client',
  async (id, endpoint) => {
    const row = rows[id]!
    const isRead = endpoint.method === 'GET' && !row.prepare
    const world = isRead ? readOnly : await createWorld(app, plans, { withPrincipals: false })
    await row.prepare?.(world)
    const path =
      endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(world.pathParams[name])) +
      (row.query?.(world) ?? '')
    recorded = []
    for (const column of ['anonymous', 'other', 'admin', 'owner'] satisfies Column[]) {
      const client = column === 'anonymous' ? app.client() : world[column].client
      const body = endpoint.method === 'GET' ? undefined : JSON.stringify((await row.body?.(world)) ?? {})
      const response = await client.request(path, {
        method: endpoint.method,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      })
      await response.arrayBuffer()
      expect(response.status, `${id} by ${column}`).toBeLessThan(500 + (row[column] === 503 ? 4 : 0))
    }
    const statements = recorded
    recorded = undefined
    const found: string[] = []
    for (const statement of statements) found.push(...(await unavoidableScans(statement)))
    expect(readsEverything.test(id) ? [] : found).toEqual([])
  },
)
