import { implement, type Route } from '#server/http/route.ts'
import {
  getChannelLogos,
  importPanelChannels,
  previewChannelImport,
  updateChannelLogos,
} from '../../admin-import-contract.ts'
import { importFromPanel, previewImport } from './import-from-panel.ts'
import { readLogos, switchLogos } from './logo-switch.ts'

export const importRoutes: Route[] = [
  implement(previewChannelImport, ({ db, config, body }) => previewImport({ db, config }, body)),
  implement(importPanelChannels, async ({ db, config, body, user, requestId, clearResponseCache }) => {
    const result = await importFromPanel({ db, config }, body, { id: user.id, requestId })
    clearResponseCache()
    return result
  }),
  implement(getChannelLogos, ({ db }) => readLogos(db)),
  implement(updateChannelLogos, async ({ db, body, user, requestId, clearResponseCache }) => {
    const result = await switchLogos(db, body.fromPanel, { id: user.id, requestId })
    clearResponseCache()
    return result
  }),
]
