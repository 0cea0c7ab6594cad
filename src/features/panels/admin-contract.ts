import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { iptvCredentials } from '#features/iptv/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { line } from '#kit/text.ts'
import { panelKind } from './contract.ts'

const text = (max: number) => line(0, max, '')
function isPanelAddress(value: string): boolean {
  const url = value === '' ? null : URL.parse(value)
  return (
    value === '' ||
    (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '')
  )
}
const address = text(500).check(
  z.refine(
    isPanelAddress,
    'Please enter an address such as https://panel.example:8443/code, without a user name or a query',
  ),
)
const isCertificates = (value: string) =>
  value === '' || (/-----BEGIN CERTIFICATE-----/.test(value) && !/PRIVATE KEY/.test(value))
const ca = z.string().check(
  z.overwrite<string>((value) => value.trim()),
  z.maxLength(20_000, 'Please use at most 20000 characters'),
  z.refine(
    isCertificates,
    'Please paste the authority’s certificate alone: it begins with -----BEGIN CERTIFICATE-----',
  ),
)
const withUser = new Set(['onestream', 'ministra'])
const bouquets = /^\d{1,9}(\s*,\s*\d{1,9})*$/
const days = 'Please enter a whole number from 0 to 90'

/** What a panel is reached with. An empty key stands for the one that is set. */
const reaching = {
  kind: panelKind,
  address,
  username: text(120),
  key: z.string().check(z.maxLength(500, 'Please use at most 500 characters')),
  ca,
}
type Reaching = { kind: string; address: string; username: string }
const withAddress = z.refine<Reaching>(({ kind, address }) => kind === 'manual' || address !== '', {
  path: ['address'],
  message: 'Please enter the panel’s address',
})
const withUsername = z.refine<Reaching>(({ kind, username }) => !withUser.has(kind) || username !== '', {
  path: ['username'],
  message: 'Please enter the user name: this panel asks for one beside the key',
})

/** The form of the section Provisioning. */
export const provisioningForm = z
  .object({
    ...reaching,
    server: address,
    graceDays: z.int(days).check(z.gte(0, days), z.lte(90, days)),
    packages: z.record(z.string(), text(120)),
    trialPackage: text(120),
  })
  .check(
    withAddress,
    withUsername,
    z.refine<{ kind: string; trialPackage: string }>(
      ({ kind, trialPackage }) => kind !== 'xc-api' || trialPackage === '' || bouquets.test(trialPackage),
      {
        path: ['trialPackage'],
        message: 'Please enter the numbers of bouquets, such as 1,2,3: this panel knows no packages',
      },
    ),
  )
export type ProvisioningForm = z.output<typeof provisioningForm>

/** `keySet`: a key is kept. What it is, nobody is told. */
const stored = z.object({ version: z.string(), value: provisioningForm, keySet: z.boolean() })
const panelPackage = z.object({
  packageRef: z.string(),
  name: z.string(),
  connections: z.nullable(z.number()),
  hours: z.nullable(z.number()),
  credits: z.nullable(z.number()),
  trial: z.boolean(),
})
export type ListedPackage = z.output<typeof panelPackage>

export const getProvisioning = get('/api/admin/provisioning', {
  summary: 'How lines are made; never the key',
  access: 'admin',
  output: stored,
})
export const updateProvisioning = put('/api/admin/provisioning', {
  summary: 'Set how lines are made; refused when it was changed since that version',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object({ version: z.string().check(z.maxLength(64)), value: provisioningForm }),
  output: stored,
})
export const testPanel = post('/api/admin/provisioning/test', {
  summary: 'Ask a panel for its credits and packages; nothing is saved',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object(reaching).check(withAddress, withUsername),
  output: z.object({
    ok: z.boolean(),
    /** What is to be read: that it works and as whom, or what is wrong. */
    message: z.string(),
    packages: z.array(panelPackage),
    /** Why there are none to choose from; empty when there are, or when nothing could be asked. */
    packagesMessage: z.string(),
  }),
})

const fates = z.object({
  /** New channels, our own that were typed in by hand, those imported before, and further streams of a name. */
  add: z.int(),
  map: z.int(),
  known: z.int(),
  double: z.int(),
})
const panelCategory = z.object({
  id: z.string(),
  name: z.string(),
  counts: fates,
  /** A few of the names that would be added. */
  names: z.array(z.string()),
  /** Where it seems to belong; null: nowhere. */
  suggested: z.nullable(channelCategory),
})
export type PanelCategory = z.output<typeof panelCategory>
const ids = z.string().check(z.maxLength(20_000))

export const previewChannelImport = post('/api/admin/channel-import/preview', {
  summary:
    'What the panel’s live channels would add to the catalogue; nothing is changed, the credentials are not kept',
  access: 'admin',
  limit: 'adminWrite',
  body: iptvCredentials,
  output: z.object({
    categories: z.array(panelCategory),
    /** Left out whatever is chosen: radio, and what has no name. */
    radio: z.int(),
    unnamed: z.int(),
    /** Headings between channels, left out too. */
    separators: z.object({ count: z.int(), names: z.array(z.string()) }),
    /** New channels that get another name than the panel writes, with a few examples. */
    renamed: z.object({ count: z.int(), examples: z.array(z.object({ from: z.string(), to: z.string() })) }),
    /** How many channels one import adds at most. */
    most: z.int(),
  }),
})
export const importPanelChannels = post('/api/admin/channel-import', {
  summary: 'Add the panel’s live channels of chosen categories; a second time adds nothing twice',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object({
    ...iptvCredentials.shape,
    /** For each category of ours the panel's, their ids separated by commas. What stands nowhere is skipped. */
    categories: z.partialRecord(channelCategory, ids),
    /** Whether visitors see them at once. */
    show: z.boolean(),
  }),
  output: z.object({ counts: fates, skipped: z.int() }),
})

const logos = z.object({
  /** Whether the lineup shows them. */
  fromPanel: z.boolean(),
  waiting: z.int(),
  kept: z.int(),
  failed: z.int(),
  /** Why the last one could not be used. */
  failure: z.nullable(z.string()),
})
export const getChannelLogos = get('/api/admin/channel-logos', {
  summary: 'Whether channels show the panel’s logos, and how far fetching them has come',
  access: 'admin',
  output: logos,
})
export const updateChannelLogos = put('/api/admin/channel-logos', {
  summary: 'Show the panel’s logos, or the marks drawn from names; audited',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object({ fromPanel: z.boolean() }),
  output: logos,
})
