import { type AppContext, implement, type Route } from '#server/http/route.ts'
import type { SessionUser } from '#server/session/session.ts'
import * as admin from '../admin-contract.ts'
import { getAccent } from '../contract.ts'
import { accentSheet } from '../rules.ts'
import { discardDraft, publish, readStudio, restore, saveDraft } from './brand-store.ts'

const editor = ({ user, requestId }: { user: SessionUser; requestId: string }) => ({ id: user.id, requestId })
/**
 * Waits for a change, then clears the response cache of this process, so that the administrator's next request shows the change. Other processes are
 * notified by the change itself.
 */
async function clearCacheAfter<T>({ clearResponseCache }: Pick<AppContext, 'clearResponseCache'>, change: Promise<T>) {
  const result = await change
  clearResponseCache()
  return result
}

export const routes: Route[] = [
  implement(getAccent, ({ params }) => accentSheet(Number(/\d+(?=\.css$)/.exec(params.file)![0]))),
  implement(admin.getBrand, ({ db }) => readStudio(db)),
  implement(admin.saveBrandDraft, (c) => saveDraft(c.db, c.body, editor(c))),
  implement(admin.discardBrandDraft, ({ db }) => discardDraft(db)),
  implement(admin.publishBrand, (c) => clearCacheAfter(c, publish(c.db, c.body, editor(c)))),
  implement(admin.restoreBrand, (c) => clearCacheAfter(c, restore(c.db, c.params.versionId, editor(c)))),
]
