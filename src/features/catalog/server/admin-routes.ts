import { markLogo } from '#kit/mark-logo.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import type { SessionUser } from '#server/session/session.ts'
import * as admin from '../admin-contract.ts'
import { channelResource, deviceResource, type Editor, faqResource } from './service/catalog-resource.ts'
import { createEntry } from './service/create-entry.ts'
import { createPlan } from './service/create-plan.ts'
import { deleteEntry } from './service/delete-entry.ts'
import { deletePlan } from './service/delete-plan.ts'
import { listAllChannels, listAllDeviceCategories, listAllFaqs, listAllPlans } from './service/list-all.ts'
import { moveEntry } from './service/move-entry.ts'
import { countSample, removeSample } from './service/sample-content.ts'
import { updateEntry } from './service/update-entry.ts'
import { updatePlan } from './service/update-plan.ts'

export const editor = ({ user, requestId }: { user: SessionUser; requestId: string }): Editor => ({
  id: user.id,
  requestId,
})
/**
 * Waits for a change, then clears the response cache of this process, so that the administrator's next request shows the change. Other processes are
 * notified by the change itself.
 */
export async function clearCacheAfter<T>(
  { clearResponseCache }: Pick<AppContext, 'clearResponseCache'>,
  change: Promise<T>,
): Promise<T> {
  const changed = await change
  clearResponseCache()
  return changed
}
/** Replaces an empty logo with the mark generated from the name, and an empty preview with null. */
const asStored = <F extends { name: string; logo: string; previewUrl: string }>(fields: F) => ({
  ...fields,
  logo: fields.logo || markLogo(fields.name),
  previewUrl: fields.previewUrl || null,
})

export const adminRoutes: Route[] = [
  implement(admin.getSampleContent, ({ db }) => countSample(db)),
  implement(admin.removeSampleContent, (c) => clearCacheAfter(c, removeSample(c.db, c.body, editor(c)))),

  implement(admin.listAllPlans, ({ db }) => listAllPlans(db)),
  implement(admin.createPlan, (c) => clearCacheAfter(c, createPlan(c.db, c.body, editor(c)))),
  implement(admin.updatePlan, (c) => clearCacheAfter(c, updatePlan(c.db, c.params.planId, c.body, editor(c)))),
  implement(admin.deletePlan, (c) => clearCacheAfter(c, deletePlan(c.db, c.params.planId, c.query.version, editor(c)))),

  implement(admin.listAllChannels, ({ db, query }) => listAllChannels(db, query)),
  implement(admin.createChannel, (c) =>
    clearCacheAfter(c, createEntry(c.db, channelResource, asStored(c.body), editor(c))),
  ),
  implement(admin.updateChannel, (c) =>
    clearCacheAfter(c, updateEntry(c.db, channelResource, c.params.channelId, asStored(c.body), editor(c))),
  ),
  implement(admin.deleteChannel, (c) =>
    clearCacheAfter(c, deleteEntry(c.db, channelResource, c.params.channelId, c.query.version, editor(c))),
  ),

  implement(admin.listAllDeviceCategories, ({ db }) => listAllDeviceCategories(db)),
  implement(admin.createDeviceCategory, (c) =>
    clearCacheAfter(c, createEntry(c.db, deviceResource, c.body, editor(c))),
  ),
  implement(admin.updateDeviceCategory, (c) =>
    clearCacheAfter(c, updateEntry(c.db, deviceResource, c.params.categoryId, c.body, editor(c))),
  ),
  implement(admin.moveDeviceCategory, async (c) => {
    await clearCacheAfter(c, moveEntry(c.db, deviceResource, c.params.categoryId, c.body.move, editor(c)))
    return listAllDeviceCategories(c.db)
  }),
  implement(admin.deleteDeviceCategory, (c) =>
    clearCacheAfter(c, deleteEntry(c.db, deviceResource, c.params.categoryId, c.query.version, editor(c))),
  ),

  implement(admin.listAllFaqs, ({ db }) => listAllFaqs(db)),
  implement(admin.createFaq, (c) => clearCacheAfter(c, createEntry(c.db, faqResource, c.body, editor(c)))),
  implement(admin.updateFaq, (c) =>
    clearCacheAfter(c, updateEntry(c.db, faqResource, c.params.faqId, c.body, editor(c))),
  ),
  implement(admin.moveFaq, async (c) => {
    await clearCacheAfter(c, moveEntry(c.db, faqResource, c.params.faqId, c.body.move, editor(c)))
    return listAllFaqs(c.db)
  }),
  implement(admin.deleteFaq, (c) =>
    clearCacheAfter(c, deleteEntry(c.db, faqResource, c.params.faqId, c.query.version, editor(c))),
  ),
]
