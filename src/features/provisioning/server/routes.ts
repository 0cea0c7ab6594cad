import * as settings from '#features/settings/server/service.ts'
import { signInFirst } from '#server/errors.ts'
import { implement, type Route } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { sessionIdOf } from '#server/session/session-id.ts'
import * as admin from '../admin-contract.ts'
import * as drift from '../admin-drift-contract.ts'
import * as moveAdmin from '../admin-moves-contract.ts'
import * as panelAdmin from '../admin-panels-contract.ts'
import * as contract from '../contract.ts'
import { markJobDone, recordManualLine, retryJob, retryPanelNow } from './admin-decisions.ts'
import { requestComparison } from './drift/compare.ts'
import { countRepairable, listDrift } from './drift/list.ts'
import { repairAll } from './drift/resolve-all.ts'
import { createLineLink, openLineLink } from './line-link.ts'
import { getCustomerLine, getPanelStatus, listLineJobs } from './list-jobs.ts'
import { listMoves, readMovePreview } from './moves/list-moves.ts'
import { changeMove, startMove } from './moves/run-moves.ts'
import { getOwnLine, markLineUsed, revealOwnLine } from './own-line.ts'
import { listPanels } from './panel-rows/list-panels.ts'
import { createPanel, deletePanel, updatePanel } from './panel-rows/save-panel.ts'
import { readProvisioning, updateProvisioning } from './settings.ts'
import { testPanel } from './test-panel.ts'

export const routes: Route[] = [
  implement(contract.getOwnLine, async ({ db, user }) =>
    getOwnLine(db, user.id, (await settings.read(db, 'provisioning')).kind === 'manual'),
  ),
  implement(contract.revealOwnLine, ({ db, user, config, requestId }) =>
    revealOwnLine(db, user.id, () => secretKey(config), requestId),
  ),
  implement(contract.createLineLink, async ({ db, user, caller }) =>
    createLineLink(db, user.id, (await sessionIdOf(db, caller.sessionToken)) ?? signInFirst()),
  ),
  implement(contract.openLineLink, ({ db, body, config, requestId }) =>
    openLineLink(db, body.token, () => secretKey(config), requestId),
  ),
  implement(contract.markLineUsed, ({ db, user }) => markLineUsed(db, user.id)),
  implement(admin.listLineJobs, ({ db, query }) => listLineJobs(db, query)),
  implement(admin.getPanelStatus, ({ db, config }) => getPanelStatus(db, config)),
  implement(admin.retryLineJob, ({ db, params, user, requestId }) =>
    retryJob(db, params.jobId, { admin: user, requestId }),
  ),
  implement(admin.markLineJobDone, ({ db, params, user, requestId }) =>
    markJobDone(db, params.jobId, { admin: user, requestId }),
  ),
  implement(admin.recordManualLine, ({ db, params, body, user, config, requestId }) =>
    recordManualLine(db, params.jobId, body, { admin: user, requestId }, () => secretKey(config)),
  ),
  implement(admin.retryPanelNow, ({ db, user, requestId }) => retryPanelNow(db, { admin: user, requestId })),
  implement(drift.listLineDrift, ({ db }) => listDrift(db)),
  implement(drift.countRepairableDrift, ({ db, query }) => countRepairable(db, query.panelId)),
  implement(drift.repairLineDrift, ({ db, body, user, requestId }) => repairAll(db, body, { admin: user, requestId })),
  implement(drift.compareLines, ({ db, user, requestId }) => requestComparison(db, { admin: user, requestId })),
  implement(admin.getCustomerLine, ({ db, params }) => getCustomerLine(db, params.userId)),
  implement(admin.getProvisioning, ({ db }) => readProvisioning(db)),
  implement(admin.updateProvisioning, ({ db, config, body, user, requestId }) =>
    updateProvisioning({ db, config }, body, { id: user.id, requestId }),
  ),
  implement(moveAdmin.listMoveRuns, ({ db }) => listMoves(db)),
  implement(moveAdmin.previewMove, ({ db, config, query }) => readMovePreview({ db, config }, query)),
  implement(moveAdmin.startMove, ({ db, body, user, requestId }) => startMove(db, body, { admin: user, requestId })),
  implement(moveAdmin.changeMove, ({ db, params, user, requestId }) =>
    changeMove(db, params.runId, params.change, { admin: user, requestId }),
  ),
  implement(panelAdmin.listPanels, ({ db }) => listPanels(db)),
  implement(panelAdmin.createPanel, ({ db, config, body, user, requestId }) =>
    createPanel({ db, config }, body, { admin: user, requestId }),
  ),
  implement(panelAdmin.updatePanel, ({ db, config, params, body, user, requestId }) =>
    updatePanel({ db, config }, params.panelId, body, { admin: user, requestId }),
  ),
  implement(panelAdmin.deletePanel, ({ db, params, query, user, requestId }) =>
    deletePanel({ db }, params.panelId, query.version, { admin: user, requestId }),
  ),
  implement(admin.testPanel, ({ db, config, log, body, user, requestId }) =>
    testPanel({ db, config, log }, body, { id: user.id, requestId }),
  ),
]
