import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import { adminRoutes } from './admin-routes.ts'
import { listMarks, markProgram, unmarkProgram } from './marks/marks.ts'
import { readGuide } from './read/read-guide.ts'
import { readNow } from './read/read-now.ts'
import { readProgram } from './read/read-program.ts'
import { searchPrograms } from './read/search-guide.ts'

export const routes: Route[] = [
  implement(contract.getGuide, ({ db, query }) => readGuide(db, query)),
  implement(contract.getGuideNow, ({ db }) => readNow(db)),
  implement(contract.getProgram, ({ db, params }) => readProgram(db, params.channelId, params.startsAt)),
  implement(contract.searchGuide, ({ db, user, query }) => searchPrograms(db, { ...query, userId: user.id })),
  implement(contract.listProgramMarks, ({ db, user }) => listMarks(db, user.id)),
  implement(contract.markProgram, ({ db, user, params, body }) =>
    markProgram(db, user.id, params.channelId, params.startsAt, body),
  ),
  implement(contract.unmarkProgram, async ({ db, user, params }) => {
    await unmarkProgram(db, user.id, params.channelId, params.startsAt)
    return { removed: true as const }
  }),
  ...adminRoutes,
]
