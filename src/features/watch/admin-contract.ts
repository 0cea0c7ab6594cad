// Admin endpoints for watching: turning it on and off, the register of rights, and the published channels.
import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { del, get, post, put } from '#kit/endpoint.ts'
import { listQuery } from '#kit/lists.ts'
import { id, idParam, instant, rowVersion, singleLine } from '#kit/text.ts'
import { isTerritoryList, normalizeTerritories, rightStates } from './right-rules.ts'

/** What an administrator confirms to turn watching on. It is stored in the audit entry. */
export const rightsStatement =
  'I confirm that we hold the rights to make every channel in this register available to the public over the internet, for the territories and the time recorded with it.'

export const getWatching = get('/api/admin/watching', {
  summary: 'Whether watching in the browser is on, who confirmed the rights, and what needs attention',
  access: 'admin',
  needs: 'watching.read',
  dependsOn: ['channel_right', 'channel'],
  output: z.object({
    enabledAt: z.nullable(instant),
    enabledBy: z.nullable(z.string()),
    /** Whether GEOIP_DATABASE is set. Without it, rights that are limited to countries cannot be checked. */
    knowsCountries: z.boolean(),
    published: z.int(),
    /** The number of published channels that cannot be played because no right is in force. */
    unlicensed: z.int(),
    /** The number of published channels whose last right ends within 30 days. */
    ending: z.int(),
    /** After how many hours without input the player stops and asks whether the viewer is still there; 0: never. */
    unattendedHours: z.int(),
  }),
})
export const setWatching = put('/api/admin/watching', {
  summary: 'Confirm the rights and turn watching on, or turn it off; audited',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  body: z.discriminatedUnion('enabled', [
    z.object({ enabled: z.literal(true), statement: z.literal(rightsStatement, 'Please confirm the statement') }),
    z.object({ enabled: z.literal(false) }),
  ]),
  output: z.object({ enabled: z.boolean() }),
})
const unattendedMessage = 'Please enter a number of hours from 0 to 24'
/** The schema of the form for viewers who press nothing. 0: playback never stops. */
export const unattendedForm = z.object({
  unattendedHours: z.int(unattendedMessage).check(z.gte(0, unattendedMessage), z.lte(24, unattendedMessage)),
})
export const setUnattended = put('/api/admin/watching/unattended', {
  summary:
    'After how many hours without input players stop and ask whether the viewer is still there; 0: never. Audited. Pages that are open apply it after a reload',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  body: unattendedForm,
  output: unattendedForm,
})

const day = (message: string) => z.iso.date(message).check(z.refine((text) => /^2/.test(text), message))
const territories = z
  .string('Please enter the countries')
  .check(
    z.overwrite<string>(normalizeTerritories),
    z.refine(isTerritoryList, 'Please enter country codes such as US or CA, or WORLD'),
  )
const hoursMessage = 'Please enter a number of hours from 0 to 8784'
/** How many hours back the right covers the archive; 0 for live only. */
const wholeHours = z._default(
  z.coerce
    .number<string | number>(hoursMessage)
    .check(z.int(hoursMessage), z.gte(0, hoursMessage), z.lte(8784, hoursMessage)),
  0,
)
const fields = {
  source: singleLine(1, 120, 'Please enter where the signal comes from'),
  licensor: singleLine(1, 120, 'Please enter who grants the right'),
  territories,
  validFrom: day('Please enter the first day'),
  validUntil: day('Please enter the last day'),
  document: singleLine(1, 300, 'Please enter the contract'),
  archiveHours: wholeHours,
}
const inOrder = z.refine<{ validFrom: string; validUntil: string }>(
  ({ validFrom, validUntil }) => validUntil >= validFrom,
  { path: ['validUntil'], message: 'The last day is before the first day' },
)
/** The schema of the form for a right. */
export const rightForm = z.object(fields).check(inOrder)
export type RightForm = z.output<typeof rightForm>
/** The values of the form before validation. */
export type RightInput = z.input<typeof rightForm>
/** The maximum number of channels in one request. */
export const maxChannels = 500
const channelIds = z
  .array(id)
  .check(
    z.minLength(1, 'Please select a channel'),
    z.maxLength(maxChannels, `Please select at most ${maxChannels} channels`),
  )

export const channelRight = z.object({
  id,
  channelId: id,
  channelName: z.string(),
  ...fields,
  territories: z.string(),
  validFrom: z.string(),
  validUntil: z.string(),
  archiveHours: z.int(),
  state: z.enum(rightStates),
  /** Whether the channel is published for watching. */
  published: z.boolean(),
  version: rowVersion,
})
export type ChannelRight = z.output<typeof channelRight>

export const rightSorts = ['createdAt', 'validUntil', 'licensor'] as const
export const rightListQuery = listQuery(rightSorts, { status: z.optional(z.enum(rightStates)) })
export const listRights = get('/api/admin/channel-rights', {
  summary: 'The register of rights, newest first; search by channel or licensor',
  access: 'admin',
  needs: 'watching.read',
  dependsOn: ['channel_right', 'channel'],
  paged: true,
  query: rightListQuery,
  output: z.array(channelRight),
})
export const createRights = post('/api/admin/channel-rights', {
  summary: 'Record the same right for one or several channels; audited',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  body: z.object({ channelIds, ...fields }).check(inOrder),
  output: z.object({ created: z.int() }),
})
const params = z.object({ rightId: idParam })
export const updateRight = put('/api/admin/channel-rights/:rightId', {
  summary: 'Change a right; audited',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  params,
  body: z.object({ ...fields, version: rowVersion }).check(inOrder),
  output: channelRight,
})
export const deleteRight = del('/api/admin/channel-rights/:rightId', {
  summary: 'Remove a right; audited',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  params,
  query: z.object({ version: z.coerce.number<string | number>().check(z.int(), z.gte(1)) }),
  output: z.object({ deleted: z.boolean() }),
})

export const watchableChannel = z.object({
  id,
  name: z.string(),
  category: channelCategory,
  /** Whether the panel has a stream for the channel. */
  hasStream: z.boolean(),
  licensed: z.boolean(),
  published: z.boolean(),
})
export type WatchableChannel = z.output<typeof watchableChannel>
export const listWatchableChannels = get('/api/admin/watch-channels', {
  summary: 'All channels by name, each with whether it is licensed now and published for watching',
  access: 'admin',
  needs: 'watching.read',
  dependsOn: ['channel_right', 'channel'],
  output: z.array(watchableChannel),
})
export const publishChannels = put('/api/admin/watch-channels', {
  summary: 'Publish channels for watching or withdraw them; audited. Refused if one of them has no right in force',
  access: 'admin',
  needs: 'watching.edit',
  limit: 'adminWrite',
  body: z.object({ channelIds, published: z.boolean() }),
  output: z.object({ changed: z.int() }),
})
