import * as z from 'zod/mini'
import { channel } from '#features/catalog/contract.ts'
import { get, put } from '#kit/endpoint.ts'
import { id, idParam } from '#kit/text.ts'

const maxOrdered = 1_000

export const listWatchlist = get('/api/watchlist', {
  summary:
    "Channels on the user's watchlist: first those that the user has not sorted yet, newest first, then the others in the user's order",
  access: 'member',
  dependsOn: ['watchlist'],
  output: z.array(channel),
})
export const updateWatchlist = put('/api/watchlist/:channelId', {
  summary: "Add a channel to the user's watchlist, or remove it",
  access: 'member',
  limit: 'write',
  params: z.object({ channelId: idParam }),
  body: z.object({ listed: z.boolean() }),
  output: z.object({ channelId: id, listed: z.boolean() }),
})
export const orderWatchlist = put('/api/watchlist', {
  summary: "Set the order of the user's watchlist; channels that are not on it are ignored",
  access: 'member',
  limit: 'write',
  body: z.object({
    channelIds: z.array(id).check(z.maxLength(maxOrdered, `Please order at most ${maxOrdered} channels`)),
  }),
  output: z.object({ ordered: z.literal(true) }),
})
