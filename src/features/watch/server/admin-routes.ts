import { clearCacheAfter } from '#features/catalog/server/admin-routes.ts'
import { implement, type Route } from '#server/http/route.ts'
import type { Actor } from '#server/session/actor.ts'
import type { SessionUser } from '#server/session/session.ts'
import * as contract from '../admin-contract.ts'
import * as directContract from '../admin-direct-contract.ts'
import * as playsContract from '../admin-plays-contract.ts'
import { readDirect, saveDirect } from './direct/save-setting.ts'
import { testChannel } from './direct/test-channel.ts'
import { listChannelHealth, listRunningPlays, stopPlay } from './plays/admin-plays.ts'
import { saveUnattended } from './plays/save-unattended.ts'
import { listRights } from './rights/list-rights.ts'
import { listWatchableChannels, publishChannels } from './rights/publish-channels.ts'
import { createRights, deleteRight, updateRight } from './rights/save-right.ts'
import { readWatching, switchWatching } from './rights/switch-watching.ts'

const actorOf = ({ user, requestId }: { user: SessionUser; requestId: string }): Actor => ({ admin: user, requestId })

export const adminRoutes: Route[] = [
  implement(contract.getWatching, ({ db, config }) => readWatching(db, config.geoipDatabase !== undefined)),
  implement(contract.setWatching, (c) => clearCacheAfter(c, switchWatching(c.db, c.body, actorOf(c)))),
  implement(contract.setUnattended, ({ db, body, ...c }) => saveUnattended(db, body, actorOf(c))),
  implement(directContract.getDirect, ({ db }) => readDirect(db)),
  implement(directContract.setDirect, (c) => saveDirect(c.db, c.config, c.body, actorOf(c))),
  implement(directContract.testDirect, ({ db, config, log, body }) => testChannel({ db, config, log }, body)),
  implement(playsContract.listRunningPlays, ({ db }) => listRunningPlays(db)),
  implement(playsContract.stopPlay, ({ db, user, params, requestId }) =>
    stopPlay(db, params.playId, { admin: user, requestId }),
  ),
  implement(playsContract.listChannelHealth, ({ db }) => listChannelHealth(db)),
  implement(contract.listRights, ({ db, query }) => listRights(db, query)),
  implement(contract.createRights, (c) => clearCacheAfter(c, createRights(c.db, c.body, actorOf(c)))),
  implement(contract.updateRight, (c) => clearCacheAfter(c, updateRight(c.db, c.params.rightId, c.body, actorOf(c)))),
  implement(contract.deleteRight, (c) =>
    clearCacheAfter(c, deleteRight(c.db, c.params.rightId, c.query.version, actorOf(c))),
  ),
  implement(contract.listWatchableChannels, ({ db }) => listWatchableChannels(db)),
  implement(contract.publishChannels, (c) =>
    clearCacheAfter(
      c,
      publishChannels(c.db, c.body, { knowsCountries: c.config.geoipDatabase !== undefined }, actorOf(c)),
    ),
  ),
]
