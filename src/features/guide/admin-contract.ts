// Admin endpoints of the program guide: its sources, and which listings each channel shows.
import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { del, get, post, put } from '#kit/endpoint.ts'
import { listQuery } from '#kit/lists.ts'
import { id, idParam, instant, rowVersion, singleLine } from '#kit/text.ts'
import { matchKinds } from './match-rules.ts'
import { isSourceAddress, matchStates, maxShiftMinutes, maxUploadParts, sourceStates } from './source-rules.ts'
import { isZone } from './time-rules.ts'

const zoneMessage = 'Please enter a time zone such as UTC or America/New_York'
const addressMessage = 'Please enter an address that starts with http:// or https://'
const addressOrEmpty = z.string(addressMessage).check(
  z.overwrite<string>((text) => text.trim()),
  z.maxLength(2_000, 'Please use at most 2,000 characters'),
  z.refine((text) => text === '' || isSourceAddress(text), addressMessage),
)
const fields = {
  name: singleLine(1, 60, 'Please enter a name'),
  zone: singleLine(1, 60, zoneMessage).check(z.refine(isZone, zoneMessage)),
  /** The name under which viewers see the source; empty hides it. An update without this field keeps the stored name. */
  shownAs: z.optional(singleLine(0, 60, '')),
  enabled: z.boolean(),
}
/** The form of a source. An empty address keeps the stored one; a source without an address only takes uploads. */
export const sourceForm = z.object({ ...fields, address: addressOrEmpty })
export type SourceForm = z.output<typeof sourceForm>

export const guideSource = z.object({
  id,
  name: z.string(),
  /** The host of the source's address, without credentials; null for a source that only takes uploads. */
  host: z.nullable(z.string()),
  zone: z.string(),
  shownAs: z.string(),
  enabled: z.boolean(),
  state: z.enum(sourceStates),
  note: z.string(),
  programs: z.int(),
  bytes: z.int(),
  readAt: z.nullable(instant),
  nextAt: z.nullable(instant),
  /** How many channels of the lineup use listings of this source. */
  channels: z.int(),
  version: rowVersion,
})
export type GuideSource = z.output<typeof guideSource>

export const listGuideSources = get('/api/admin/guide-sources', {
  summary: 'The sources of the program guide, by name',
  access: 'admin',
  needs: 'guide.read',
  dependsOn: ['guide_source'],
  output: z.array(guideSource),
})
export const createGuideSource = post('/api/admin/guide-sources', {
  summary: 'Add a source of the program guide; audited. Its address is stored encrypted and never shown again',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  body: sourceForm,
  output: guideSource,
})
const sourceParams = { sourceId: idParam }
const versionQuery = z.object({ version: z.coerce.number<string | number>().check(z.int(), z.gte(1)) })
export const updateGuideSource = put('/api/admin/guide-sources/:sourceId', {
  summary: 'Change a source; audited',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: z.object(sourceParams),
  body: z.object({ ...fields, address: addressOrEmpty, version: rowVersion }),
  output: guideSource,
})
export const deleteGuideSource = del('/api/admin/guide-sources/:sourceId', {
  summary: 'Delete a source with its listings and matches; audited',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: z.object(sourceParams),
  query: versionQuery,
  output: z.object({ deleted: z.boolean() }),
})
export const readGuideSource = post('/api/admin/guide-sources/:sourceId/read', {
  summary: 'Read a source now, at most once every ten minutes; audited',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: z.object(sourceParams),
  output: z.object({ requested: z.boolean() }),
})

const uploadId = z.uuid()
export const sendGuidePart = put('/api/admin/guide-sources/:sourceId/uploads/:uploadId/:part', {
  summary: 'Send one part of an XMLTV file; parts are numbered from 0, and all but the last have 4 MB',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: z.object({
    ...sourceParams,
    uploadId,
    part: z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(maxUploadParts - 1)),
  }),
  upload: 'application/octet-stream',
  body: z.instanceof(Uint8Array),
  output: z.object({ received: z.int() }),
})
export const finishGuideUpload = post('/api/admin/guide-sources/:sourceId/uploads/:uploadId', {
  summary: 'Read the file whose parts were sent; audited',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: z.object({ ...sourceParams, uploadId }),
  body: z.object({ parts: z.int().check(z.gte(1), z.lte(maxUploadParts)) }),
  output: z.object({ requested: z.boolean() }),
})

export const listing = z.object({
  /** The id of a channel in a source. */
  id,
  name: z.string(),
  xmltvId: z.string(),
  source: z.string(),
})
export type Listing = z.output<typeof listing>
export const channelMatch = z.object({
  /** The channel's id in the lineup. */
  id,
  name: z.string(),
  category: channelCategory,
  /** The EPG id from the panel; empty if the panel has none. */
  epgId: z.string(),
  matched: z.nullable(z.enum(matchKinds)),
  /** Whether the channel shows the panel's listings, because it is not matched. */
  isFromPanel: z.boolean(),
  /** The listings that the channel shows; null if it is not matched, or if an administrator chose none. */
  listing: z.nullable(listing),
  shiftMinutes: z.int(),
  /** For a channel without a match: the listings with the most similar name; null if none is similar. */
  suggestion: z.nullable(listing),
})
export type ChannelMatch = z.output<typeof channelMatch>

export const matchSorts = ['createdAt', 'name'] as const
export const matchListQuery = listQuery(matchSorts, { status: z.optional(z.enum(matchStates)) })
export const listChannelMatches = get('/api/admin/channel-guides', {
  summary: 'The channels of the lineup with the listings that they show; search by name',
  access: 'admin',
  needs: 'guide.read',
  dependsOn: ['guide', 'guide_source', 'channel'],
  paged: true,
  query: matchListQuery,
  output: z.array(channelMatch),
})
const shiftMessage = 'Please enter whole minutes from -1,440 to 1,440'
const channelParams = z.object({ channelId: idParam })
export const listListings = get('/api/admin/channel-guides/:channelId/listings', {
  summary:
    'Listings for a channel: those whose name or id contains the search text; without a search, those with a similar name',
  access: 'admin',
  needs: 'guide.read',
  params: channelParams,
  query: z.object({ search: z.optional(singleLine(0, 100, '')) }),
  output: z.array(listing),
})
export const setChannelMatch = put('/api/admin/channel-guides/:channelId', {
  summary: 'Choose the listings of a channel, or none, and the shift of their times; audited',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: channelParams,
  body: z.object({
    listingId: z.nullable(id),
    shiftMinutes: z
      .int(shiftMessage)
      .check(z.gte(-maxShiftMinutes, shiftMessage), z.lte(maxShiftMinutes, shiftMessage)),
  }),
  output: channelMatch,
})
export const resetChannelMatch = del('/api/admin/channel-guides/:channelId', {
  summary: 'Match a channel automatically again; audited',
  access: 'admin',
  needs: 'guide.edit',
  limit: 'adminWrite',
  params: channelParams,
  output: channelMatch,
})
