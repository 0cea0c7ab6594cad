import { implement, type Route } from '#server/http.ts'
import { getProvisioning, testPanel, updateProvisioning } from '../admin-contract.ts'
import { readProvisioning, updateProvisioning as update } from './provisioning.ts'
import { testPanel as test } from './test-panel.ts'

export const routes: Route[] = [
  implement(getProvisioning, ({ db }) => readProvisioning(db)),
  implement(updateProvisioning, ({ db, config, body, user, requestId }) => update({ db, config }, body, { id: user.id, requestId })),
  implement(testPanel, ({ db, config, log, body, user, requestId }) => test({ db, config, log }, body, { id: user.id, requestId })),
]
