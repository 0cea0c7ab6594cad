import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import type { SiteAnnouncement } from '../contract.ts'

/** The maximum number of announcements that the site shows at the same time. */
const shownAtOnce = 3

/** SQL condition on `announcements a`: the site shows the announcement now. */
export const isOnSite = sql`a.state = 'published' and a.on_site and not a.ended and (a.site_until is null or a.site_until > now())`

type OnSite = { announcements: SiteAnnouncement[]; isAnnouncing: boolean }

/** Returns the announcements that the site shows to everyone, newest first, and whether there are any, including those for some customers only. */
export async function readSiteAnnouncements(db: Db): Promise<OnSite> {
  const { rows } = await db.execute<SiteAnnouncement & { forAll: boolean }>(sql`
    select a.id, a.title, a.summary, a.link_label as "linkLabel", a.link_path as "linkPath", a.audience = 'everyone' as "forAll"
    from announcements a where ${isOnSite} order by a.id desc`)
  const forAll = rows.filter((row) => row.forAll).slice(0, shownAtOnce)
  return {
    announcements: forAll.map(({ forAll: _, ...shown }) => shown),
    isAnnouncing: rows.length > 0,
  }
}
