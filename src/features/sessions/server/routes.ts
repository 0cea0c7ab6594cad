import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import { endOtherSessions, endSession } from './service/end-sessions.ts'
import { listSessions } from './service/list-sessions.ts'

export const routes: Route[] = [
  implement(contract.listSessions, ({ db, user, caller }) => listSessions(db, user.id, caller.sessionToken)),
  implement(contract.endSession, ({ db, user, body, requestId }) => endSession(db, user.id, body.id, requestId)),
  implement(contract.endOtherSessions, ({ db, user, caller, requestId }) =>
    endOtherSessions(db, user.id, caller.sessionToken, requestId),
  ),
]
