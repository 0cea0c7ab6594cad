import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { instant, singleLine } from '#kit/text.ts'

/**
 * `preparing`: the panel is creating or enabling the line. `manual`: an administrator is creating it. `paused`: the customer has no running
 * subscription or trial.
 */
export const ownLineState = z.enum(['preparing', 'manual', 'ready', 'paused'])
/** The progress of a line that has no credentials yet. */
const lineProgress = z.object({
  /** When the line was requested; null if an administrator closed the request without entering credentials. */
  since: z.nullable(instant),
  /** How many other customers are ahead in the queue for an administrator; null for 100 or more. */
  ahead: z.nullable(z.int()),
  /** The median wait of the latest 20 purchases, in minutes; null before the first. */
  typicalMinutes: z.nullable(z.int()),
})
/** A line as its customer sees it. Only `revealOwnLine` returns the password. */
export const ownLine = z.object({
  state: ownLineState,
  trial: z.boolean(),
  server: z.nullable(z.string()),
  username: z.nullable(z.string()),
  connections: z.nullable(z.int()),
  until: z.nullable(instant),
  /** Null once the line has credentials. */
  progress: z.nullable(lineProgress),
  /** How many seconds it took to create the line; null while it is being created, once `used` is true, and if unknown. */
  createdInSeconds: z.nullable(z.int()),
  /** Whether the customer confirmed that the line plays, or requested it more than 30 days ago. */
  used: z.boolean(),
  /** Whether the line works in players for Xtream logins and playlists. Ministra portals have their own apps. */
  xtream: z.boolean(),
  /** When the one-time link expires; null if there is none that can be opened. */
  linkUntil: z.nullable(instant),
})
export type OwnLine = z.output<typeof ownLine>

/** What a customer enters on a device. */
const lineLogin = z.object({
  server: z.nullable(z.string()),
  username: z.string(),
  password: z.string(),
  xtream: z.boolean(),
})
export type LineLogin = z.output<typeof lineLogin>

export const getOwnLine = get('/api/line', {
  summary: 'The customer’s own line, without its password; null if there is none',
  access: 'member',
  dependsOn: ['line', 'subscription'],
  output: z.nullable(ownLine),
})
export const markLineUsed = post('/api/line/used', {
  summary: 'End the guided setup of the customer’s own line',
  access: 'member',
  limit: 'write',
  output: z.object({ used: z.literal(true) }),
})
export const revealOwnLine = post('/api/line/reveal', {
  summary: 'The password of the customer’s own line; audited',
  access: 'member',
  limit: 'iptv',
  output: z.object({ password: z.string() }),
})
export const createLineLink = post('/api/line/link', {
  summary: 'A one-time link that shows the customer’s own line on another device; it replaces an earlier one',
  access: 'member',
  limit: 'write',
  output: z.object({ token: z.string(), until: instant }),
})
export const openLineLink = post('/api/line/link/open', {
  summary: 'The line of a one-time link with its password; audited. The link is used up',
  access: 'public',
  limit: 'recovery',
  body: z.object({ token: singleLine(1, 200, 'The link is incomplete') }),
  output: lineLogin,
})

/** The panel types. `manual`: administrators create the lines themselves and enter their credentials. */
export const panelTypes = [
  'manual',
  'xui-admin',
  'xui-reseller',
  'xc-api',
  'onestream',
  'panel-api',
  'ministra',
] as const
export const panelType = z.enum(panelTypes, 'Please select a panel type')
export type PanelType = z.output<typeof panelType>

/** The setting as it is stored. The panel's key is stored encrypted in another table. */
export const provisioning = z.object({
  kind: panelType,
  address: z.string().check(z.maxLength(500)),
  username: z.string().check(z.maxLength(120)),
  /** Certificates (PEM) of the operator's own CA; empty for public CAs. */
  ca: z.string().check(z.maxLength(20_000)),
  /** The server URL that customers enter in their players; if empty, PANEL_URL is used. */
  server: z.string().check(z.maxLength(500)),
  /** Days from the end of a subscription until its line is disabled. */
  graceDays: z.int().check(z.gte(0), z.lte(90)),
  /** The panel's package of each plan, by the plan's id. */
  packages: z.record(z.string(), z.string().check(z.maxLength(120))),
  trialPackage: z.string().check(z.maxLength(120)),
})
export type Provisioning = z.output<typeof provisioning>

const text = (max: number) => singleLine(0, max, '')
function isPanelAddress(value: string): boolean {
  const url = value === '' ? null : URL.parse(value)
  return (
    value === '' ||
    (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '')
  )
}
export const address = text(500).check(
  z.refine(
    isPanelAddress,
    'Please enter an address such as https://panel.example:8443/code, without a username or a query',
  ),
)
const isCertificates = (value: string) =>
  value === '' || (/-----BEGIN CERTIFICATE-----/.test(value) && !/PRIVATE KEY/.test(value))
const ca = z.string().check(
  z.overwrite<string>((value) => value.trim()),
  z.maxLength(20_000, 'Please use at most 20,000 characters'),
  z.refine(isCertificates, 'Please paste only the CA’s certificate: it begins with -----BEGIN CERTIFICATE-----'),
)
const withUser = new Set(['onestream', 'ministra'])
const bouquets = /^\d{1,9}(\s*,\s*\d{1,9})*$/
const days = 'Please enter a whole number from 0 to 90'

/** What is needed to connect to a panel. If the key is empty, the stored one is used. */
export const connectionFields = {
  kind: panelType,
  address,
  username: text(120),
  key: z.string().check(z.maxLength(500, 'Please use at most 500 characters')),
  ca,
}
type ConnectionFields = { kind: string; address: string; username: string }
export const withAddress = z.refine<ConnectionFields>(({ kind, address }) => kind === 'manual' || address !== '', {
  path: ['address'],
  message: 'Please enter the panel’s address',
})
export const withUsername = z.refine<ConnectionFields>(({ kind, username }) => !withUser.has(kind) || username !== '', {
  path: ['username'],
  message: 'Please enter the username: this panel needs one in addition to the key',
})

export const withBouquets = z.refine<{ kind: string; trialPackage: string }>(
  ({ kind, trialPackage }) => kind !== 'xc-api' || trialPackage === '' || bouquets.test(trialPackage),
  {
    path: ['trialPackage'],
    message: 'Please enter bouquet numbers such as 1,2,3: this panel has no packages',
  },
)

/** The form of the Provisioning section. */
export const provisioningForm = z
  .object({
    ...connectionFields,
    server: address,
    graceDays: z.int(days).check(z.gte(0, days), z.lte(90, days)),
    packages: z.record(z.string(), text(120)),
    trialPackage: text(120),
  })
  .check(withAddress, withUsername, withBouquets)
export type ProvisioningForm = z.output<typeof provisioningForm>
