import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  type lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { currentUser } from '#features/accounts/contract.ts'
import { listOwnAnnouncements } from '#features/announcements/contract.ts'
import { accentPath } from '#features/settings/brand-rules.ts'
import { getSite, type Site } from '#features/settings/contract.ts'
import { safePath } from '#kit/safe-path.ts'
import { type DataClient, query } from './data.ts'
import { isPublicPath } from './public-paths.ts'
import { seoMeta } from './seo/seo-meta.ts'
import { Document } from './shell/document.tsx'
import { SiteLayout } from './shell/site-layout.tsx'
import { loadPageParts } from './ui/hydration/page-part.ts'

export type RouterContext = {
  client: DataClient
  origin: string
  /** In the browser: the path from which this document was loaded. */
  openedAt?: string
  /** In the browser: called after hydration. */
  onHydrated?: () => void
  /** On the server: the inline script that loads the page's scripts. */
  start?: string
}
type Query = { queryKey: readonly unknown[] }
/** `guest`: only visitors who are not logged in. */
type Audience = 'anyone' | 'guest' | 'member' | 'admin'

/** Users whose password an administrator has set must choose a new one here first. */
export const choosePasswordPath = '/choose-password'
const noIndex = 'noindex, nofollow'

export type PageSpec<P extends string, S> = {
  path: P
  who: Audience
  /** The title, to which the brand is appended. A function returns the whole title. */
  title: string | ((brand: string, params: Record<string, string>) => string)
  /** A second part of the title, which depends on the settings. */
  subtitle?: (site: Site) => string
  /** The canonical path, when another path is preferred. */
  canonical?: string
  /** The page shows credentials and must not be cached. */
  showsSecrets?: boolean
  /** The URL contains a token: the page must not be cached and must not send a Referer header. */
  hidesAddress?: boolean
  /** Pages of this site may show this page in a frame. */
  frameable?: boolean
  search?: (search: Record<string, unknown>) => S
  load?: (input: { params: Record<string, string>; search: S }) => Query[]
  /** Like `load`, but a failed query does not fail the page: the page shows the error of its own `useQuery`. */
  tryLoad?: (input: { params: Record<string, string>; search: S }) => Query[]
  /** Awaited on the server only. In the browser the page opens immediately and shows skeletons until its `useQuery` has the data. */
  prefetch?: (input: { params: Record<string, string>; search: S }) => Query[]
  page: LazyPage
  /** The page has neither the header nor the footer of the site. */
  hasOwnFrame?: true
  /** The route whose component is the frame of this page, instead of the header and footer of the site. */
  frame?: () => AnyRoute
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The route's component has its own header and footer. */
    hasOwnFrame?: boolean
  }
}

type LazyPage = ReturnType<typeof lazyRouteComponent>

export const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context: { client } }) => {
    const [user, site] = await Promise.all([
      client.ensureQueryData(query(currentUser)),
      client.ensureQueryData(query(getSite)),
    ])
    // The announcement bar is part of the first paint. It is left out if the announcements cannot be loaded.
    if (import.meta.env.SSR && user && site.isAnnouncing) await client.prefetchQuery(query(listOwnAnnouncements))
    return { user, site }
  },
  head: ({ match }) => {
    const { site } = (match as unknown as { context: { site?: Site } }).context
    const accent = site && accentPath(site.brand.hue)
    return {
      links: [
        { rel: 'icon', href: site?.icons.small },
        { rel: 'apple-touch-icon', href: site?.icons.touch },
        ...(accent ? [{ rel: 'stylesheet', href: accent }] : []),
      ],
    }
  },
  shellComponent: Document,
  component: SiteLayout,
})

/** Creates a route: its path, who may open it, the data to load and the page component. */
export function page<const P extends string, S = Record<never, never>>(spec: PageSpec<P, S>) {
  const { path, who, title } = spec
  const isIndexed = isPublicPath(path)
  const canonical = spec.canonical ?? (isIndexed ? path : undefined)
  return createRoute({
    // A frame adds neither a path nor context, so the parent has the type of the root route.
    getParentRoute: () => (spec.frame?.() ?? root) as typeof root,
    path,
    validateSearch: (search: Record<string, unknown>): S => spec.search?.(search) ?? ({} as S),
    beforeLoad: ({ context: { user, site, openedAt }, location, search, preload }) => {
      // With the chat enabled, the Content-Security-Policy of public pages allows the chat provider. Other pages must not inherit this policy, so they are
      // loaded as a new document.
      if (openedAt && !preload && site.chat.provider !== 'off' && !isIndexed && isPublicPath(openedAt))
        throw redirect({ href: location.publicHref, reloadDocument: true })
      const mustChoose = user?.mustChangePassword ?? false
      if (mustChoose && path !== choosePasswordPath && !spec.hidesAddress) {
        const target = who === 'guest' ? (search as { redirect?: string }).redirect : location.href
        throw redirect({ to: choosePasswordPath as never, search: { redirect: target } as never })
      }
      if (user && !mustChoose && path === choosePasswordPath)
        throw redirect({ href: safePath((search as { redirect?: string }).redirect) })
      if (who === 'guest' && user) throw redirect({ href: safePath((search as { redirect?: string }).redirect) })
      if ((who === 'member' || who === 'admin') && !user)
        throw redirect({ to: '/auth' as never, search: { redirect: location.href } as never })
      if (who === 'admin' && user?.role !== 'admin') throw redirect({ to: '/dashboard' as never })
    },
    // No loaderDeps: a change of tab, search or step must not replace the page with a spinner.
    loader: async ({ context: { client }, params, location }) => {
      const input = {
        params: params as Record<string, string>,
        search: spec.search?.(location.search as Record<string, unknown>) ?? ({} as S),
      }
      const prefetched = spec.prefetch?.(input) ?? []
      if (!import.meta.env.SSR) for (const q of prefetched) void client.prefetchQuery(q as never)
      await Promise.all([
        ...(import.meta.env.SSR ? prefetched : []).map((q) => client.ensureQueryData(q as never)),
        ...(spec.load?.(input) ?? []).map((q) => client.ensureQueryData(q as never)),
        ...(spec.tryLoad?.(input) ?? []).map((q) => client.prefetchQuery(q as never)),
      ])
    },
    head: ({ match }) => {
      const { site, origin, client } = (match as unknown as { context: { site?: Site } & RouterContext }).context
      const brand = site?.brand.name ?? 'SauceTV'
      const name =
        typeof title === 'function'
          ? title(brand, match.params as Record<string, string>)
          : [title, ...(site && spec.subtitle ? [spec.subtitle(site)] : [])].join(' – ')
      const text = typeof title === 'function' ? name : `${name} – ${brand}`
      return {
        meta: [
          { title: text },
          ...(isIndexed ? [] : [{ name: 'robots', content: noIndex }]),
          ...(import.meta.env.SSR && isIndexed && site
            ? seoMeta({ path, name, title: text, site, origin, client })
            : []),
        ],
        links: canonical ? [{ rel: 'canonical', href: origin + canonical }] : [],
      }
    },
    // Only the server sends headers; the browser's script leaves them out.
    headers: () => (isIndexed || !import.meta.env.SSR ? undefined : privateHeaders(spec)) as Record<string, string>,
    component: withParts(spec.page),
    ...(spec.hasOwnFrame && { staticData: { hasOwnFrame: true } }),
  })
}

/** Adds the parts of a page to what is loaded before it is rendered on the server or hydrated in the browser. */
function withParts(page: LazyPage): LazyPage {
  const load = page.preload
  page.preload = async () => {
    await load?.()
    await loadPageParts()
  }
  return page
}

const privateHeaders = ({
  showsSecrets,
  hidesAddress,
  frameable,
}: {
  showsSecrets?: boolean
  hidesAddress?: boolean
  frameable?: boolean
}): Record<string, string> => ({
  'x-robots-tag': noIndex,
  ...((showsSecrets || hidesAddress) && { 'cache-control': 'no-store' }),
  ...(hidesAddress && { 'referrer-policy': 'no-referrer' }),
  ...(frameable && { 'x-frame-options': 'SAMEORIGIN' }),
})

/** Reads a query parameter as text. The router parses numbers, so they are converted back. */
export const textParam = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
