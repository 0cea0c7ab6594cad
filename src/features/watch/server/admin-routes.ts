import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import * as playsContract from '../admin-plays-contract.ts'
import { listChannelHealth, listRunningPlays, stopPlay } from './plays/admin-plays.ts'
import { listRights } from './rights/list-rights.ts'
import { listWatchableChannels, publishChannels } from './rights/publish-channels.ts'
import { createRights, deleteRight, updateRight } from './rights/save-right.ts'
import { readWatching, switchWatching } from './rights/switch-watching.ts'

export const adminRoutes: Route[] = [
  implement(contract.getWatching, ({ db, config }) => readWatching(db, config.geoipDatabase !== undefined)),
  implement(contract.setWatching, ({ db, user, body, requestId }) =>
    switchWatching(db, body, { admin: user, requestId }),
  ),
  implement(playsContract.listRunningPlays, ({ db }) => listRunningPlays(db)),
  implement(playsContract.stopPlay, ({ db, user, params, requestId }) =>
    stopPlay(db, params.playId, { admin: user, requestId }),
  ),
  implement(playsContract.listChannelHealth, ({ db }) => listChannelHealth(db)),
  implement(contract.listRights, ({ db, query }) => listRights(db, query)),
  implement(contract.createRights, ({ db, user, body, requestId }) =>
    createRights(db, body, { admin: user, requestId }),
  ),
  implement(contract.updateRight, ({ db, user, params, body, requestId }) =>
    updateRight(db, params.rightId, body, { admin: user, requestId }),
  ),
  implement(contract.deleteRight, ({ db, user, params, query, requestId }) =>
    deleteRight(db, params.rightId, query.version, { admin: user, requestId }),
  ),
  implement(contract.listWatchableChannels, ({ db }) => listWatchableChannels(db)),
  implement(contract.publishChannels, ({ db, config, user, body, requestId }) =>
    publishChannels(db, body, { knowsCountries: config.geoipDatabase !== undefined }, { admin: user, requestId }),
  ),
]
