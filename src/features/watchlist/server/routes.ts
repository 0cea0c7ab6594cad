import { implement } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import * as watchlist from './service.ts'

export const routes = [
  implement(contract.orderWatchlist, async ({ db, user, body }) => {
    await watchlist.orderWatchlist(db, user.id, body.channelIds)
    return { ordered: true as const }
  }),
  implement(contract.listWatchlist, ({ db, user }) => watchlist.listWatchlist(db, user.id)),
  implement(contract.updateWatchlist, ({ db, user, params, body }) =>
    watchlist.updateWatchlist(db, user.id, params.channelId, body.listed),
  ),
]
