// Admin endpoints that import channels and their logos from the IPTV panel.
import * as z from 'zod/mini'
import { iptvCredentials } from '#features/iptv/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { channelCategory } from './contract.ts'

const outcomeCounts = z.object({
  /** The number of new channels. */
  add: z.int(),
  /** The number of existing channels that are mapped to a stream by name. */
  map: z.int(),
  /** The number of channels that were imported before. */
  known: z.int(),
  /** The number of streams whose name belongs to another stream. */
  double: z.int(),
})
const panelCategory = z.object({
  id: z.string(),
  name: z.string(),
  counts: outcomeCounts,
  /** A few of the names that would be added. */
  names: z.array(z.string()),
  /** The suggested category; null for none. */
  suggested: z.nullable(channelCategory),
})
export type PanelCategory = z.output<typeof panelCategory>
const ids = z.string().check(z.maxLength(20_000))

export const previewChannelImport = post('/api/admin/channel-import/preview', {
  summary: 'Preview what importing the panel’s live channels would add to the catalog; the credentials are not stored',
  access: 'admin',
  needs: 'catalog.edit',
  limit: 'adminWrite',
  body: iptvCredentials,
  output: z.object({
    categories: z.array(panelCategory),
    /** The number of radio stations, which are never imported. */
    radio: z.int(),
    /** The number of streams without a usable name or id, which are never imported. */
    unnamed: z.int(),
    /** The separators between channels, which are never imported: their number, and some names. */
    separators: z.object({ count: z.int(), names: z.array(z.string()) }),
    /** The number of new channels whose name is cleaned, with a few examples. */
    renamed: z.object({ count: z.int(), examples: z.array(z.object({ from: z.string(), to: z.string() })) }),
    /** The maximum number of channels in one import. */
    most: z.int(),
  }),
})
export const importPanelChannels = post('/api/admin/channel-import', {
  summary: 'Import the panel’s live channels of the chosen categories; importing again adds no channel twice',
  access: 'admin',
  needs: 'catalog.edit',
  limit: 'adminWrite',
  body: z.object({
    ...iptvCredentials.shape,
    /** For each of our categories, the ids of the panel's categories, separated by commas. Others are skipped. */
    categories: z.partialRecord(channelCategory, ids),
    /** Whether the channels are visible immediately. */
    show: z.boolean(),
  }),
  output: z.object({ counts: outcomeCounts, skipped: z.int() }),
})

const logos = z.object({
  /** Whether the lineup shows the panel's logos. */
  fromPanel: z.boolean(),
  /** The number of logos that are still to be fetched. */
  waiting: z.int(),
  /** The number of logos that are stored. */
  kept: z.int(),
  failed: z.int(),
  /** Why the last failed logo could not be fetched; null if none failed. */
  failure: z.nullable(z.string()),
})
export const getChannelLogos = get('/api/admin/channel-logos', {
  summary: 'Whether channels show the panel’s logos, and how many are fetched',
  access: 'admin',
  needs: 'catalog.read',
  dependsOn: ['logo'],
  output: logos,
})
export const updateChannelLogos = put('/api/admin/channel-logos', {
  summary: 'Show the panel’s logos, or marks drawn from the channel names; audited',
  access: 'admin',
  needs: 'catalog.edit',
  limit: 'adminWrite',
  body: z.object({ fromPanel: z.boolean() }),
  output: logos,
})
