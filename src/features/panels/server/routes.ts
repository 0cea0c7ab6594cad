import { implement, type Route } from '#server/http.ts'
import { getProvisioning, importPanelChannels, previewChannelImport, testPanel, updateProvisioning } from '../admin-contract.ts'
import { importFromPanel, previewImport } from './channel-import.ts'
import { readProvisioning, updateProvisioning as update } from './provisioning.ts'
import { testPanel as test } from './test-panel.ts'

export const routes: Route[] = [
  implement(getProvisioning, ({ db }) => readProvisioning(db)),
  implement(updateProvisioning, ({ db, config, body, user, requestId }) => update({ db, config }, body, { id: user.id, requestId })),
  implement(testPanel, ({ db, config, log, body, user, requestId }) => test({ db, config, log }, body, { id: user.id, requestId })),
  implement(previewChannelImport, ({ db, config, body }) => previewImport({ db, config }, body)),
  implement(importPanelChannels, async ({ db, config, body, user, requestId, dropReady }) => {
    const told = await importFromPanel({ db, config }, body, { id: user.id, requestId })
    dropReady()
    return told
  }),
]
