import { type AppContext, implement, type Route } from '#server/http/route.ts'
import type { SessionUser } from '#server/session/session.ts'
import { getSampleContent, removeSampleContent } from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { markLogo } from '../rules.ts'
import { channelResource, deviceResource, type Editor, faqResource } from './service/catalogue-resource.ts'
import { createEntry } from './service/create-entry.ts'
import { createPlan } from './service/create-plan.ts'
import { deleteEntry } from './service/delete-entry.ts'
import { deletePlan } from './service/delete-plan.ts'
import { listAllChannels, listAllDeviceCategories, listAllFaqs, listAllPlans } from './service/list-all.ts'
import { moveEntry } from './service/move-entry.ts'
import { countSample, removeSample } from './service/sample-content.ts'
import { updateEntry } from './service/update-entry.ts'
import { updatePlan } from './service/update-plan.ts'

const editor = ({ user, requestId }: { user: SessionUser; requestId: string }): Editor => ({ id: user.id, requestId })
/** Clears the response cache of this process, so that the administrator's next request shows the change. Other processes are notified. */
async function dropping<T>(
  { clearResponseCache }: Pick<AppContext, 'clearResponseCache'>,
  change: Promise<T>,
): Promise<T> {
  const changed = await change
  clearResponseCache()
  return changed
}
/** Stores an empty logo as the mark generated from the name, and an empty preview as null. */
const asStored = <F extends { name: string; logo: string; previewUrl: string }>(fields: F) => ({
  ...fields,
  logo: fields.logo || markLogo(fields.name),
  previewUrl: fields.previewUrl || null,
})

export const adminRoutes: Route[] = [
  implement(getSampleContent, ({ db }) => countSample(db)),
  implement(removeSampleContent, (c) => dropping(c, removeSample(c.db, c.body, editor(c)))),

  implement(contract.listAllPlans, ({ db }) => listAllPlans(db)),
  implement(contract.createPlan, (c) => dropping(c, createPlan(c.db, c.body, editor(c)))),
  implement(contract.updatePlan, (c) => dropping(c, updatePlan(c.db, c.params.planId, c.body, editor(c)))),
  implement(contract.deletePlan, (c) => dropping(c, deletePlan(c.db, c.params.planId, c.query.version, editor(c)))),

  implement(contract.listAllChannels, ({ db, query }) => listAllChannels(db, query)),
  implement(contract.createChannel, (c) =>
    dropping(c, createEntry(c.db, channelResource, asStored(c.body), editor(c))),
  ),
  implement(contract.updateChannel, (c) =>
    dropping(c, updateEntry(c.db, channelResource, c.params.channelId, asStored(c.body), editor(c))),
  ),
  implement(contract.deleteChannel, (c) =>
    dropping(c, deleteEntry(c.db, channelResource, c.params.channelId, c.query.version, editor(c))),
  ),

  implement(contract.listAllDeviceCategories, ({ db }) => listAllDeviceCategories(db)),
  implement(contract.createDeviceCategory, (c) => dropping(c, createEntry(c.db, deviceResource, c.body, editor(c)))),
  implement(contract.updateDeviceCategory, (c) =>
    dropping(c, updateEntry(c.db, deviceResource, c.params.categoryId, c.body, editor(c))),
  ),
  implement(contract.moveDeviceCategory, async (c) => {
    await dropping(c, moveEntry(c.db, deviceResource, c.params.categoryId, c.body.move, editor(c)))
    return listAllDeviceCategories(c.db)
  }),
  implement(contract.deleteDeviceCategory, (c) =>
    dropping(c, deleteEntry(c.db, deviceResource, c.params.categoryId, c.query.version, editor(c))),
  ),

  implement(contract.listAllFaqs, ({ db }) => listAllFaqs(db)),
  implement(contract.createFaq, (c) => dropping(c, createEntry(c.db, faqResource, c.body, editor(c)))),
  implement(contract.updateFaq, (c) => dropping(c, updateEntry(c.db, faqResource, c.params.faqId, c.body, editor(c)))),
  implement(contract.moveFaq, async (c) => {
    await dropping(c, moveEntry(c.db, faqResource, c.params.faqId, c.body.move, editor(c)))
    return listAllFaqs(c.db)
  }),
  implement(contract.deleteFaq, (c) =>
    dropping(c, deleteEntry(c.db, faqResource, c.params.faqId, c.query.version, editor(c))),
  ),
]
