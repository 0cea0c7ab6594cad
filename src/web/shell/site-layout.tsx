import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { lazyRouteComponent, Outlet, useLocation, useMatches, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { currentUser, logout } from '#features/accounts/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { isRunning } from '#features/subscriptions/running-rules.ts'
import { messageOf } from '#kit/caller.ts'
import type { Tier } from '../brand/mascot-shapes.ts'
import { MascotShown, PlanMascots } from '../brand/mascot-shown.ts'
import { query, useSend } from '../data.ts'
import { isPublicPath } from '../public-paths.ts'
import accountSheet from '../styles/account.css?url'
import { forgetDrafts } from '../ui/form/forget-drafts.ts'
import { isInHtml, loadPageParts, pagePart } from '../ui/hydration/page-part.ts'
import { useIsHydrated } from '../ui/hydration/use-is-hydrated.ts'
import { toast } from '../ui/toast/toast.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { SkipLink } from './skip-link.tsx'

const ViewingBanner = pagePart(() => import('./viewing-banner.tsx'), 'ViewingBanner', isInHtml('.viewing'))
const WatchButton = pagePart(() => import('./watch-button.tsx'), 'WatchButton', isInHtml('.top-watch'))
const AnnouncementBar = pagePart(() => import('./announcement-bar.tsx'), 'AnnouncementBar', isInHtml('.announced'))
// Pages wait for their parts. An error page has no route that waits, so the server loads these parts at its start.
if (import.meta.env.SSR) await loadPageParts()
const ChatCorner = lazyRouteComponent(() => import('./chat-launcher.tsx'), 'ChatLauncher')

/** The header, main area and footer of every page that has no frame of its own. */
export function SiteLayout() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { onLogout, loggingOut } = useLogout()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const hasOwnFrame = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.hasOwnFrame) })
  useFocusOnNavigation()
  // The chat button needs scripts, so the server does not render it.
  const isHydrated = useIsHydrated()
  const { onHydrated } = useRouter().options.context
  useEffect(() => onHydrated?.(), [onHydrated])
  const canWatch = user && (site.watching || site.playerUrl) && isRunning(user, new Date())
  const brand = { ...site.brand, contactEmail: site.contact.email, socials: site.socials }
  return (
    <MascotShown value={site.brand.mascot}>
      <PlanMascots value={site.brand.mascots as Tier[]}>
        {!isPublicPath(path) && <link rel="stylesheet" href={accountSheet} precedence="page" />}
        <SkipLink />
        {user?.viewedUntil && (
          <Suspense>
            <ViewingBanner username={user.username} until={user.viewedUntil} />
          </Suspense>
        )}
        {hasOwnFrame ? (
          <Outlet />
        ) : (
          <>
            <Header
              user={user}
              brand={brand}
              onLogout={onLogout}
              loggingOut={loggingOut}
              slim={path === '/checkout'}
              watch={
                canWatch && (
                  <Suspense>
                    <WatchButton playerUrl={site.watching ? '' : site.playerUrl} />
                  </Suspense>
                )
              }
            />
            {site.isAnnouncing && (
              <Suspense>
                <AnnouncementBar />
              </Suspense>
            )}
            <main id="main">
              <Outlet />
            </main>
            <Footer brand={brand} paymentMarks={site.paymentMarks} />
          </>
        )}
        {isHydrated && site.chat.provider !== 'off' && !user?.viewedUntil && isPublicPath(path) && (
          <Suspense>
            <ChatCorner chat={site.chat} userId={user?.id} />
          </Suspense>
        )}
      </PlanMascots>
    </MascotShown>
  )
}

/** Ends the session and clears its data from the query cache. */
export function useLogout() {
  const router = useRouter()
  const client = useQueryClient()
  const { mutate, isPending } = useSend(logout)
  const onLogout = () =>
    mutate({} as never, {
      onSuccess: async () => {
        client.setQueryData([currentUser.id], null)
        forgetDrafts()
        await router.navigate({ to: '/' })
        client.removeQueries({
          predicate: (q) =>
            q.queryKey[0] !== currentUser.id && q.queryKey[0] !== getSite.id && q.getObserversCount() === 0,
        })
        toast({ title: 'Logged out', description: "You've been logged out successfully." })
      },
      onError: (error) => toast({ title: 'Logout failed', description: messageOf(error), variant: 'destructive' }),
    })
  return { onLogout, loggingOut: isPending }
}

/**
 * Moves the focus to the heading after a client-side navigation. A navigation within a page leaves the focus where it is if the new location has `keepsFocus`
 * in its state. Going back to that location from another page does move the focus.
 */
function useFocusOnNavigation() {
  const router = useRouter()
  const shown = useRef({ path: router.state.location.pathname, page: router.state.matches.at(-1)?.routeId })
  useEffect(
    () =>
      router.subscribe('onRendered', ({ toLocation: { pathname, hash, state } }) => {
        const { path, page } = shown.current
        shown.current = { path: pathname, page: router.state.matches.at(-1)?.routeId }
        if (path === pathname || hash) return
        if (page === shown.current.page && (state as { keepsFocus?: boolean }).keepsFocus) return
        const heading = document.querySelector<HTMLElement>('main h1')
        if (!heading) return
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
      }),
    [router],
  )
}
