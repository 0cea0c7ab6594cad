import { createRights, publishChannels, rightsStatement, setWatching } from '#features/watch/admin-contract.ts'
import type { Caller } from '../test/harness/browser.ts'
import { type FakePanel, linePassword } from '../test/harness/fake-panel.ts'
import { sendWrite } from './order.ts'

const hoursToFive = ((5 - new Date().getUTCHours() + 35) % 24) - 11
/** A time zone in which it is between 5 and 6 AM. A day of the guide ends at 6 AM, so it shows the programs of many hours before. */
export const timeZoneAtFive = `Etc/GMT${hoursToFive > 0 ? '-' : '+'}${Math.abs(hoursToFive)}`

/**
 * Imports channels from the panel, records worldwide rights to them, publishes them and turns watching on. `archiveHours`: how many hours back the
 * rights cover recordings. Returns the ids of the channels in the same order.
 */
export async function offerChannels(
  admin: Caller,
  panel: FakePanel,
  streams: ({ stream_id: string; name: string } & Record<string, string | number>)[],
  archiveHours?: number,
): Promise<number[]> {
  panel.watch.categories = [{ category_id: '1', category_name: 'News' }]
  panel.watch.streams = streams.map((stream) => ({ ...stream, stream_type: 'live', category_id: '1' }))
  await sendWrite(admin, 'post', '/api/admin/channel-import', {
    iptvUsername: 'line',
    iptvPassword: linePassword,
    categories: { news: '1' },
    show: true,
  })
  const lineup = (await (await admin.request.get('/api/channels')).json()) as { id: number; name: string }[]
  const channelIds = streams.map(({ name }) => lineup.find((channel) => channel.name === name)!.id)
  await sendWrite(admin, 'post', createRights.path, {
    channelIds,
    source: 'Satellite feed',
    licensor: 'Harbor Media',
    territories: 'WORLD',
    validFrom: '2020-01-01',
    validUntil: '2099-12-31',
    document: 'Contract 4711',
    ...(archiveHours !== undefined && { archiveHours }),
  })
  await sendWrite(admin, 'put', publishChannels.path, { channelIds, published: true })
  await sendWrite(admin, 'put', setWatching.path, { enabled: true, statement: rightsStatement })
  return channelIds
}
