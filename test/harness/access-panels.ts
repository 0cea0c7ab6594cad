import { adminOnly, type Row, uniqueText } from './access-row.ts'
import type { World } from './access-world.ts'

const form = () => ({
  name: `Panel ${uniqueText()}`,
  kind: 'xui-admin',
  address: `https://${uniqueText()}.example/code`,
  username: '',
  key: 'the key',
  ca: '',
  server: 'http://tv.example',
  packages: {},
  trialPackage: '',
  acceptsLines: false,
  isDefault: false,
  lineLimit: null,
  planIds: [],
})
/** Adds a panel that gets no lines, so that the other endpoints behave as with one panel. */
const prepare = async ({ app, pathParams }: World) => {
  const { rows } = await app.database.pool.query(
    `insert into panels (name, kind, address, server, key, accepts_lines) values ($1, 'xui-admin', $2, 'http://tv.example', 'v1:soon', false) returning id`,
    [`Panel ${uniqueText()}`, `https://${uniqueText()}.example`],
  )
  await app.database.pool.query('insert into line_panel (id) values ($1)', [rows[0].id])
  pathParams.panelId = String(rows[0].id)
}
const deleteAll = async ({ app }: World) =>
  void (await app.database.pool.query('delete from line_move_runs; delete from panels where id <> 1'))

/** Adds a stopped run that moves lines to another panel. */
const prepareRun = async (world: World) => {
  await prepare(world)
  const { rows } = await world.app.database.pool.query(
    `insert into line_move_runs (from_panel, to_panel, state) values (1, $1, 'stopped') returning id`,
    [world.pathParams.panelId],
  )
  world.pathParams.runId = String(rows[0].id)
  world.pathParams.change = 'back'
}

/** The endpoints of panels: for administrators who may see or change the settings. */
export const panelAccessRows: Record<string, Row> = {
  'GET /api/admin/panels': adminOnly(),
  'POST /api/admin/panels': adminOnly({ prepare: deleteAll, body: form }),
  'PUT /api/admin/panels/:panelId': adminOnly({ prepare, body: () => ({ ...form(), version: 1 }) }),
  'DELETE /api/admin/panels/:panelId': adminOnly({ prepare, query: () => '?version=1' }),
  'GET /api/admin/line-moves': adminOnly(),
  // Provisioning is manual in this installation.
  'GET /api/admin/line-moves/preview': adminOnly({
    prepare,
    query: ({ pathParams }) => `?from=1&to=${pathParams.panelId}`,
    admin: 409,
  }),
  'POST /api/admin/line-moves': adminOnly({
    prepare,
    body: ({ pathParams }) => ({ from: 1, to: Number(pathParams.panelId), expected: 0 }),
    admin: 409,
  }),
  'POST /api/admin/line-moves/:runId/:change': adminOnly({ prepare: prepareRun, admin: 409 }),
}
