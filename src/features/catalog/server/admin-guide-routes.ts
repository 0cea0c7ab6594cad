import { implement, type Route } from '#server/http/route.ts'
import * as admin from '../admin-guides-contract.ts'
import { clearCacheAfter, editor } from './admin-routes.ts'
import { guideResource } from './service/catalog-resource.ts'
import { listAllSetupGuides } from './service/list-all.ts'
import { moveEntry } from './service/move-entry.ts'
import { updateEntry } from './service/update-entry.ts'

export const adminGuideRoutes: Route[] = [
  implement(admin.listAllSetupGuides, ({ db }) => listAllSetupGuides(db)),
  implement(admin.updateSetupGuide, (c) =>
    clearCacheAfter(c, updateEntry(c.db, guideResource, c.params.guideId, c.body, editor(c))),
  ),
  implement(admin.moveSetupGuide, async (c) => {
    await clearCacheAfter(c, moveEntry(c.db, guideResource, c.params.guideId, c.body.move, editor(c)))
    return listAllSetupGuides(c.db)
  }),
]
