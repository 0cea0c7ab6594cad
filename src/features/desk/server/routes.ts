import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import * as overview from '../admin-overview-contract.ts'
import * as presence from '../admin-presence-contract.ts'
import { getQueue } from '../admin-queue-contract.ts'
import { countWork } from './service/count-work.ts'
import { listPresent, reportPresence } from './service/presence.ts'
import { readActivity } from './service/read-activity.ts'
import { readFigures } from './service/read-figures.ts'
import { readHealth } from './service/read-health.ts'
import { readPromisedTimes } from './service/read-promised-times.ts'
import { readQueue } from './service/read-queue.ts'
import { readSetup } from './service/read-setup.ts'
import { searchDesk } from './service/search-desk.ts'

export const routes: Route[] = [
  implement(contract.getWorkCounts, ({ db, user }) => countWork(db, user)),
  implement(getQueue, ({ db, user, query }) => readQueue(db, query.show ?? 'all', user)),
  implement(overview.getFigures, ({ db, query }) => readFigures(db, query.offset ?? 0)),
  implement(overview.getActivity, ({ db }) => readActivity(db)),
  implement(overview.getPromises, ({ db, user }) => readPromisedTimes(db, user)),
  implement(overview.getSetup, ({ db, config, user }) => readSetup(db, config, user.id)),
  implement(contract.searchDesk, ({ db, user, query }) => searchDesk(db, query.search, user)),
  implement(presence.listPresent, ({ db, user }) => listPresent(db, user.id)),
  implement(presence.reportPresence, ({ db, user, body }) => reportPresence(db, user.id, body)),
  implement(contract.getHealth, ({ db, config }) => readHealth(db, config)),
]
