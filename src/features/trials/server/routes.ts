import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { approverOf } from '#server/session/actor.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { createTrialLine, getTrialLine } from './service/create-trial-line.ts'
import { createTrialRequest } from './service/create-trial-request.ts'
import { listAllTrialRequests, listTrialRequests, trialList } from './service/read-trial-requests.ts'
import { updateTrialRequest } from './service/update-trial-request.ts'
import { trialCsvColumns } from './trial-csv.ts'

export const routes = [
  implement(contract.listTrialRequests, ({ db, user, config }) =>
    listTrialRequests(db, user.id, () => secretKey(config)),
  ),
  implement(contract.createTrialRequest, ({ db, user, body }) => createTrialRequest(db, user.id, body)),
  implement(admin.listAllTrialRequests, ({ db, query, config }) =>
    listAllTrialRequests(db, query, () => secretKey(config)),
  ),
  exportListRoute(admin.exportTrialRequests, ({ config }) => trialList(() => secretKey(config)), trialCsvColumns),
  implement(admin.updateTrialRequest, ({ db, params, body, ...ctx }) =>
    updateTrialRequest(db, params.trialRequestId, body, approverOf(ctx), () => secretKey(ctx.config)),
  ),
  implement(admin.getTrialLine, ({ db, params, config }) =>
    getTrialLine(db, params.trialRequestId, () => secretKey(config)),
  ),
  implement(admin.createTrialLine, ({ db, params, body, ...ctx }) =>
    createTrialLine(db, params.trialRequestId, body, approverOf(ctx), () => secretKey(ctx.config)),
  ),
]
