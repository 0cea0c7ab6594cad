import * as z from 'zod/mini'
import { channel } from '#features/catalog/contract.ts'
import { get, put } from '#kit/endpoint.ts'
import { id, idText } from '#kit/text.ts'

export const listWatchlist = get('/api/watchlist', {
  summary: "Channels on the user's watchlist, newest first",
  access: 'member',
  dependsOn: ['watchlist'],
  output: z.array(channel),
})
export const updateWatchlist = put('/api/watchlist/:channelId', {
  summary: "Add a channel to the user's watchlist, or remove it",
  access: 'member',
  limit: 'write',
  params: z.object({ channelId: idText }),
  body: z.object({ listed: z.boolean() }),
  output: z.object({ channelId: id, listed: z.boolean() }),
})
