// Admin endpoints of the panels: their connections, and which of them gets a new line.
import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { idParam, rowVersion, singleLine } from '#kit/text.ts'
import { address, connectionFields, withAddress, withBouquets, withUsername } from './contract.ts'

export const maxPanels = 20
const limitMessage = 'Please enter a whole number from 1 to 1000000, or leave this empty'

const fields = {
  name: singleLine(2, 60, 'Please enter a name of at least 2 characters'),
  ...connectionFields,
  server: address,
  packages: z.record(z.string(), singleLine(0, 120, '')),
  trialPackage: singleLine(0, 120, ''),
  /** Whether new lines may be created on this panel. */
  acceptsLines: z.boolean(),
  /** Whether this panel gets the new lines that no rule assigns to a panel. */
  isDefault: z.boolean(),
  /** The panel gets new lines until it has this many; null for no limit. */
  lineLimit: z.nullable(z.int(limitMessage).check(z.gte(1, limitMessage), z.lte(1_000_000, limitMessage))),
  /** The plans whose new lines are created on this panel. */
  planIds: z.array(z.int().check(z.gte(1), z.lte(2147483647))).check(z.maxLength(200)),
}
const openIfDefault = z.refine<{ acceptsLines: boolean; isDefault: boolean }>(
  ({ acceptsLines, isDefault }) => acceptsLines || !isDefault,
  { path: ['acceptsLines'], message: 'The default panel has to accept new lines' },
)
export const panelForm = z.object(fields).check(withAddress, withUsername, withBouquets, openIfDefault)
export type PanelForm = z.output<typeof panelForm>
const panelEdit = z
  .object({ ...fields, version: rowVersion })
  .check(withAddress, withUsername, withBouquets, openIfDefault)

/** `key` is always empty: a stored key is never returned. */
const panel = z.object({
  ...fields,
  id: z.int(),
  /** Whether this is the main panel, whose connection is stored in the Provisioning settings. */
  isMain: z.boolean(),
  keySet: z.boolean(),
  /** How many lines are on this panel. */
  lines: z.int(),
  version: rowVersion,
})
export type PanelRow = z.output<typeof panel>

const write = { access: 'admin', needs: 'settings.edit', limit: 'adminWrite' } as const
const params = z.object({ panelId: idParam })

export const listPanels = get('/api/admin/panels', {
  summary: 'The panels with their number of lines, without their keys',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['panel', 'line_job'],
  output: z.array(panel),
})
export const createPanel = post('/api/admin/panels', {
  summary: 'Add a panel',
  ...write,
  body: panelForm,
  output: panel,
})
export const updatePanel = put('/api/admin/panels/:panelId', {
  summary: 'Change a panel; an empty key keeps the stored one. The connection of the main panel is not changed',
  ...write,
  params,
  body: panelEdit,
  output: panel,
})
export const deletePanel = del('/api/admin/panels/:panelId', {
  summary: 'Delete a panel that has no lines and no jobs',
  ...write,
  params,
  query: z.object({ version: idParam }),
  output: z.object({ deleted: z.literal(true) }),
})
