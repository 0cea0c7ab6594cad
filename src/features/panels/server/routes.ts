import { implement, type Route } from '#server/http/route.ts'
import {
  getChannelLogos,
  getProvisioning,
  importPanelChannels,
  previewChannelImport,
  testPanel,
  updateChannelLogos,
  updateProvisioning,
} from '../admin-contract.ts'
import { importFromPanel, previewImport } from './channel-import.ts'
import { readLogos, switchLogos } from './channel-logos.ts'
import { readProvisioning, updateProvisioning as update } from './provisioning.ts'
import { testPanel as test } from './test-panel.ts'

export const routes: Route[] = [
  implement(getProvisioning, ({ db }) => readProvisioning(db)),
  implement(updateProvisioning, ({ db, config, body, user, requestId }) =>
    update({ db, config }, body, { id: user.id, requestId }),
  ),
  implement(testPanel, ({ db, config, log, body, user, requestId }) =>
    test({ db, config, log }, body, { id: user.id, requestId }),
  ),
  implement(previewChannelImport, ({ db, config, body }) => previewImport({ db, config }, body)),
  implement(importPanelChannels, async ({ db, config, body, user, requestId, clearResponseCache }) => {
    const told = await importFromPanel({ db, config }, body, { id: user.id, requestId })
    clearResponseCache()
    return told
  }),
  implement(getChannelLogos, ({ db }) => readLogos(db)),
  implement(updateChannelLogos, async ({ db, body, user, requestId, clearResponseCache }) => {
    const told = await switchLogos(db, body.fromPanel, { id: user.id, requestId })
    clearResponseCache()
    return told
  }),
]
