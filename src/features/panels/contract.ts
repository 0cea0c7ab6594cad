import * as z from 'zod/mini'

/** Makes of panels that lines can be made on; `manual`: administrators type in what they made on the panel themselves. */
export const panelKinds = [
  'manual',
  'xui-admin',
  'xui-reseller',
  'xc-api',
  'onestream',
  'panel-api',
  'ministra',
] as const
export const panelKind = z.enum(panelKinds, 'Please select how lines are made')
export type PanelKind = z.output<typeof panelKind>

/** The setting as it is stored; the panel's key lies sealed in a table of its own. */
export const provisioning = z.object({
  kind: panelKind,
  address: z.string().check(z.maxLength(500)),
  username: z.string().check(z.maxLength(120)),
  /** Certificates (PEM) of an authority of the operator's own; empty for the usual ones. */
  ca: z.string().check(z.maxLength(20_000)),
  /** The address customers enter in their players; empty for that of PANEL_URL. */
  server: z.string().check(z.maxLength(500)),
  /** Days from the end of a subscription until its line is switched off. */
  graceDays: z.int().check(z.gte(0), z.lte(90)),
  /** The panel's package of each plan, by the plan's id. */
  packages: z.record(z.string(), z.string().check(z.maxLength(120))),
  trialPackage: z.string().check(z.maxLength(120)),
})
export type Provisioning = z.output<typeof provisioning>
