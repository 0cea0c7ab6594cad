import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { SavedViewsMenu } from '#features/saved-views/web/saved-views-menu.tsx'
import { getSite } from '#features/settings/contract.ts'
import { isPermitted, type Needs } from '#kit/permissions.ts'
import { TestBars } from '#web/brand/test-bars.tsx'
import { query } from '#web/data.ts'
import adminSheet from '#web/styles/administration.css?url'
import { ListViewsContext } from '#web/ui/list-views.ts'
import { HeldItemsContext } from '#web/ui/opened-item.ts'
import { MayContext } from '#web/ui/permission/use-may.ts'
import { NoPermission } from '../no-permission.tsx'
import { DeskBar } from './desk-bar.tsx'
import { DeskBottomBar } from './desk-bottom-bar.tsx'
import { DeskFooter } from './desk-footer.tsx'
import { neededFor } from './desk-pages.ts'
import { DeskSidebar } from './desk-sidebar.tsx'
import { useFocusAfterLink } from './use-focus-after-link.ts'
import { usePresence } from './use-presence.ts'
import { useWorkAnnouncement } from './use-work-announcement.ts'

/** The frame of all admin pages: sidebar, application bar, footer, and on narrow screens a bar at the bottom. */
export function DeskShell() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const onLink = useFocusAfterLink()
  useWorkAnnouncement()
  const present = usePresence()
  const held = useMemo(
    () => new Map(present.flatMap((holder) => (holder.item ? [[holder.item, holder] as const] : []))),
    [present],
  )
  const needed = useLocation({
    select: ({ pathname, search }) => neededFor(pathname, (search as { tab?: unknown }).tab),
  })
  // An owner has no staff role and may do everything.
  const may = (needs: Needs) =>
    user?.role === 'admin' && (!user.staff || isPermitted(['desk.use', ...user.staff.permissions], needs))
  const isAllowed = needed === undefined || may(needed)
  // There is no user after a logout, until the next page is shown.
  if (!user) return null
  return (
    <MayContext value={may}>
      <div className="desk">
        <link rel="stylesheet" href={adminSheet} precedence="page" />
        <TestBars className="desk-bars" />
        <DeskSidebar brand={site.brand} onLink={onLink} />
        <div className="desk-stage">
          <DeskBar user={user} brand={site.brand} present={present} />
          <main id="main">
            <ListViewsContext value={SavedViewsMenu}>
              <HeldItemsContext value={held}>{isAllowed ? <Outlet /> : <NoPermission />}</HeldItemsContext>
            </ListViewsContext>
          </main>
          <DeskFooter brand={site.brand.name} />
        </div>
        <DeskBottomBar onLink={onLink} />
      </div>
    </MayContext>
  )
}
