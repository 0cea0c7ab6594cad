import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { HeadContent, Outlet, Scripts, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { currentUser, logout } from '#features/accounts/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '../data.ts'
import { fontFiles } from '../styles/fonts.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { toast } from '../ui/toast.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { SkipLink } from './skip-link.tsx'
import { themeScript } from './theme-script.ts'

/** The document around every page: head, header, main, footer. */
export function RootDocument() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: user } = useSuspenseQuery(query(currentUser))
  const router = useRouter()
  const client = useQueryClient()
  const leave = useSend(logout)
  const nonce = router.options.ssr?.nonce
  useFocusOnNavigation()

  const onLogout = () =>
    leave.mutate({}, {
      onSuccess: async () => {
        client.setQueryData([currentUser.id], null)
        client.removeQueries({ predicate: (q) => q.queryKey[0] !== currentUser.id && q.queryKey[0] !== getSite.id })
        await router.navigate({ to: '/' })
        await router.invalidate()
        toast({ title: 'Logged out', description: "You've been logged out successfully." })
      },
      onError: (error) => toast({ title: 'Logout failed', description: messageOf(error), variant: 'destructive' }),
    })

  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#120b07" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {fontFiles.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <script nonce={nonce} suppressHydrationWarning>
          {themeScript}
        </script>
        <HeadContent />
      </head>
      <body>
        <SkipLink />
        <Header user={user} brand={{ name: site.brand.name, contactEmail: site.contact.email, socials: site.socials }} onLogout={onLogout} />
        <main id="main">
          <Outlet />
        </main>
        <Footer brand={{ name: site.brand.name, contactEmail: site.contact.email, socials: site.socials }} />
        <LiveRegion />
        <Scripts />
      </body>
    </html>
  )
}

/** After a navigation inside the site the heading receives the focus, as a new page would. */
function useFocusOnNavigation() {
  const router = useRouter()
  const path = useRef<string | undefined>(undefined)
  useEffect(
    () =>
      router.subscribe('onRendered', ({ toLocation }) => {
        const moved = path.current !== undefined && path.current !== toLocation.pathname
        path.current = toLocation.pathname
        const heading = moved && !toLocation.hash ? document.querySelector<HTMLElement>('main h1') : null
        if (!heading) return
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
      }),
    [router],
  )
}
