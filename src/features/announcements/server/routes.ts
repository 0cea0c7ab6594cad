import { type AppContext, implement, type Route } from '#server/http/route.ts'
import * as admin from '../admin-contract.ts'
import {
  getNews,
  listOwnAnnouncements,
  setNews as setNewsEndpoint,
  unsubscribe as unsubscribeEndpoint,
} from '../contract.ts'
import { createDraft, deleteDraft, updateDraft } from './service/edit-draft.ts'
import { readNews, setNews, unsubscribe } from './service/news.ts'
import { previewAnnouncement, renderAnnouncement, testAnnouncement } from './service/preview-announcement.ts'
import { publishAnnouncement, withdrawAnnouncement } from './service/publish-announcement.ts'
import { listAnnouncements, readOwnAnnouncements } from './service/read-announcements.ts'

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
  implement(listOwnAnnouncements, ({ db, user }) => readOwnAnnouncements(db, user.id)),
  implement(getNews, ({ db, user }) => readNews(db, user.id)),
  implement(setNewsEndpoint, ({ db, user, body, requestId }) => setNews(db, user.id, body.wanted, requestId)),
  implement(unsubscribeEndpoint, ({ db, query, requestId }) => unsubscribe(db, query.token, requestId)),
  implement(admin.listAnnouncements, ({ db }) => listAnnouncements(db)),
  implement(admin.createAnnouncement, ({ db, user, body, requestId }) =>
    createDraft(db, body, { admin: user, requestId }),
  ),
  implement(admin.updateAnnouncement, ({ db, user, params, body, requestId }) =>
    updateDraft(db, params.announcementId, body, { admin: user, requestId }),
  ),
  implement(admin.deleteAnnouncement, ({ db, user, params, requestId }) =>
    deleteDraft(db, params.announcementId, { admin: user, requestId }),
  ),
  implement(admin.previewAnnouncement, ({ db, config, params }) =>
    previewAnnouncement({ db, config }, params.announcementId),
  ),
  implement(admin.getAnnouncementDocument, (ctx) => renderAnnouncement(ctx, ctx.params.announcementId)),
  implement(admin.testAnnouncement, ({ db, config, user, params, requestId }) =>
    testAnnouncement({ db, config }, params.announcementId, { admin: user, requestId }),
  ),
  implement(admin.publishAnnouncement, ({ db, config, user, params, body, requestId, ...context }) =>
    clearCacheAfter(
      context,
      publishAnnouncement({ db, config }, params.announcementId, body, { admin: user, requestId }),
    ),
  ),
  implement(admin.withdrawAnnouncement, ({ db, user, params, body, requestId, ...context }) =>
    clearCacheAfter(context, withdrawAnnouncement(db, params.announcementId, body.version, { admin: user, requestId })),
  ),
]
