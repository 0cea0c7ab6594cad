import { implement } from '#server/http.ts'
import { secretKey } from '#server/secret.ts'
import * as contract from '../contract.ts'
import { createTrialRequest } from './service/create-trial-request.ts'
import { listAllTrialRequests, listTrialRequests } from './service/read-trial-requests.ts'
import { updateTrialRequest } from './service/update-trial-request.ts'

export const routes = [
  implement(contract.listTrialRequests, ({ db, user, config }) => listTrialRequests(db, user.id, () => secretKey(config))),
  implement(contract.createTrialRequest, ({ db, user, body }) => createTrialRequest(db, user.id, body)),
  implement(contract.listAllTrialRequests, ({ db, query, config }) => listAllTrialRequests(db, query, () => secretKey(config))),
  implement(contract.updateTrialRequest, ({ db, user, params, body, requestId, config }) =>
    updateTrialRequest(db, params.trialRequestId, body, { admin: user, requestId }, () => secretKey(config)),
  ),
]
