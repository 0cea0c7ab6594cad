import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlans } from '#features/catalog/contract.ts'
import { endpoints } from '#server/app.ts'
import { clientConfig } from '#server/db/connect.ts'
import { rows } from '../harness/access-rows.ts'
import { type Column, createWorld, type World } from '../harness/access-world.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { fewestRows, manyRows } from '../harness/many-rows.ts'
import { isFullSize } from '../harness/scale.ts'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Node[]
}
type Statement = { text: string; values: unknown[] }

/** Files of everything there is are meant to read it. */
const readsEverything = /^GET \/admin\/[\w-]+\.csv$/
/** As long as the list of what differs from the panel, and counted whole. */
const isCounted = (text: string) => text.startsWith('select count(*) filter (where not kept)')
/** They grow with the catalogue and the settings; rate limits and counts forget by themselves. */
const staysSmall = new Set([
  'channel_logos',
  'channels',
  'device_categories',
  'faqs',
  'installation',
  'line_panel',
  'migrations',
  'plans',
  'presence',
  'rate_limits',
  'row_changes',
  'row_counts',
  'setting_secrets',
  'settings',
])

let app: TestApp
let plans: World['plans']
let explain: pg.Client
const explained = new Set<string>()
let heard: Statement[] | undefined
const { query } = pg.Client.prototype
beforeAll(async () => {
  app = await buildApp({ template: await manyRows() })
  const sold = await app.client().call(listPlans, {})
  plans = [1, 2].map((connections) => sold.find((plan) => plan.connections === connections && plan.months === 1)!)
  explain = new pg.Client(clientConfig(app.database.address))
  await explain.connect()
  pg.Client.prototype.query = function hearing(
    this: pg.Client,
    first: string | { text: string; values?: unknown[] },
    values?: unknown[],
    ...rest: unknown[]
  ) {
    if (this !== explain)
      heard?.push(
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

/** The tables that a plan reads from end to end: without an index, or the whole of one for no first rows. */
async function scansOf({ text, values }: Statement, cheapest: boolean): Promise<Set<string>> {
  const switched = cheapest ? 'on' : 'off'
  await explain.query(
    `set enable_seqscan = ${switched}; set enable_hashjoin = ${switched}; set enable_mergejoin = ${switched}`,
  )
  const { rows: answer } = await explain.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
    text: `explain (format json) ${text}`,
    values,
  })
  const found = new Set<string>()
  const walk = (node: Node, isLimited: boolean) => {
    const table = node['Relation Name']
    const isWhole =
      node['Node Type'] === 'Seq Scan' ||
      (/^(Index|Index Only) Scan$/.test(node['Node Type']) && !node['Index Cond'] && !isLimited)
    if (table && isWhole && !staysSmall.has(table)) found.add(table)
    for (const inner of node.Plans ?? []) walk(inner, isLimited || node['Node Type'] === 'Limit')
  }
  walk(answer[0]!['QUERY PLAN'][0]!.Plan, false)
  return found
}

/** What no index can spare: the planner reads all of it when it may, and when it should not. Each text is explained once; nothing of it is done again. */
async function mustRead(statement: Statement): Promise<string[]> {
  const { text } = statement
  if (explained.has(text) || !/^\s*(with|select|insert|update|delete)\b/i.test(text) || isCounted(text)) return []
  explained.add(text)
  const asItIs = await scansOf(statement, true)
  const otherwise = asItIs.size > 0 ? await scansOf(statement, false) : asItIs
  return [...asItIs]
    .filter((table) => otherwise.has(table))
    .map((table) => `${table} is read from end to end by: ${text}`)
}

test('every table that grows is big here', async () => {
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

// The short form leaves out the files, which take a third of the time.
const asked = endpoints.filter(({ id }) => isFullSize || !readsEverything.test(id))
test.each(asked.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s scans no big table, for any client',
  async (id, endpoint) => {
    const row = rows[id]!
    const world = await createWorld(app, plans, { withPrincipals: false })
    await row.after?.(world)
    const path =
      endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(world.places[name])) +
      (row.query?.(world) ?? '')
    heard = []
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
    const statements = heard
    heard = undefined
    const found: string[] = []
    for (const statement of statements) found.push(...(await mustRead(statement)))
    expect(readsEverything.test(id) ? [] : found).toEqual([])
  },
)
