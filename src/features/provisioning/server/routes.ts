import * as settings from '#features/settings/server/service.ts'
import { implement, type Route } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { noteMadeLine, retryJob, settleJob, tryPanel } from './admin-decisions.ts'
import { askForCheck } from './drift/compare.ts'
import { listDrift } from './drift/resolve.ts'
import { countDrift, mendAllDrift } from './drift/resolve-all.ts'
import { getCustomerLine, getLinePanel, listLineJobs } from './list-jobs.ts'
import { getOwnLine, revealOwnLine } from './own-line.ts'
import { readProvisioning, updateProvisioning } from './settings.ts'
import { testPanel } from './test-panel.ts'

export const routes: Route[] = [
  implement(contract.getOwnLine, async ({ db, user }) =>
    getOwnLine(db, user.id, (await settings.read(db, 'provisioning')).kind === 'manual'),
  ),
  implement(contract.revealOwnLine, ({ db, user, config, requestId }) =>
    revealOwnLine(db, user.id, () => secretKey(config), requestId),
  ),
  implement(admin.listLineJobs, ({ db, query }) => listLineJobs(db, query)),
  implement(admin.getLinePanel, ({ db, config }) => getLinePanel(db, config)),
  implement(admin.retryLineJob, ({ db, params, user, requestId }) =>
    retryJob(db, params.jobId, { admin: user, requestId }),
  ),
  implement(admin.settleLineJob, ({ db, params, user, requestId }) =>
    settleJob(db, params.jobId, { admin: user, requestId }),
  ),
  implement(admin.noteMadeLine, ({ db, params, body, user, config, requestId }) =>
    noteMadeLine(db, params.jobId, body, { admin: user, requestId }, () => secretKey(config)),
  ),
  implement(admin.tryLinePanel, ({ db, user, requestId }) => tryPanel(db, { admin: user, requestId })),
  implement(admin.listLineDrift, ({ db }) => listDrift(db)),
  implement(admin.countLineDrift, ({ db }) => countDrift(db)),
  implement(admin.mendAllLineDrift, ({ db, body, user, requestId }) =>
    mendAllDrift(db, body, { admin: user, requestId }),
  ),
  implement(admin.checkLines, ({ db, user, requestId }) => askForCheck(db, { admin: user, requestId })),
  implement(admin.getCustomerLine, ({ db, params }) => getCustomerLine(db, params.userId)),
  implement(admin.getProvisioning, ({ db }) => readProvisioning(db)),
  implement(admin.updateProvisioning, ({ db, config, body, user, requestId }) =>
    updateProvisioning({ db, config }, body, { id: user.id, requestId }),
  ),
  implement(admin.testPanel, ({ db, config, log, body, user, requestId }) =>
    testPanel({ db, config, log }, body, { id: user.id, requestId }),
  ),
]
