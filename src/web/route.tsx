import { createRootRouteWithContext, createRoute, type lazyRouteComponent, redirect } from '@tanstack/react-router'
import { currentUser } from '#features/accounts/contract.ts'
import { getSite, type Site } from '#features/settings/contract.ts'
import { safePath } from '#kit/safe-path.ts'
import { type DataClient, query } from './data.ts'
import { isPublicPath } from './public-paths.ts'
import { forMachines } from './seo/for-machines.ts'
import { Document } from './shell/document.tsx'
import { SiteLayout } from './shell/site-layout.tsx'

/** `openedAt` is the path by which the browser got this document, `onAlive` hears when the page answers to its reader; the server has neither. `start` is the server's: the script that fetches the others. */
export type RouterContext = {
  client: DataClient
  origin: string
  openedAt?: string
  onAlive?: () => void
  start?: string
}
type Query = { queryKey: readonly unknown[] }
type Who = 'anyone' | 'nobody' | 'member' | 'admin'

/** Where somebody goes first whose password an administrator has set. */
export const choosePasswordPath = '/choose-password'
const noIndex = 'noindex, nofollow'

export type PageSpec<P extends string, S> = {
  path: P
  who: Who
  /** The title without the brand, or the whole one for home. */
  title: string | ((brand: string, params: Record<string, string>) => string)
  /** Another address that stands for this page. */
  canonical?: string
  /** Credentials stand on it: no cache may keep it. */
  showsSecrets?: boolean
  /** Its address carries a token: no cache keeps the page, no request it makes says where it came from. */
  hidesAddress?: boolean
  search?: (search: Record<string, unknown>) => S
  load?: (input: { params: Record<string, string>; search: S }) => Query[]
  /** Loaded too, but a refusal is the page's own to tell: it asks again with `useQuery` and shows what it hears. */
  tryLoad?: (input: { params: Record<string, string>; search: S }) => Query[]
  /** Waited for on the server only: in the browser the page opens at once and asks for it with `useQuery`, skeletons in its place. */
  loadBeside?: (input: { params: Record<string, string>; search: S }) => Query[]
  page: ReturnType<typeof lazyRouteComponent>
}

export const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context: { client } }) => {
    const [user, site] = await Promise.all([
      client.ensureQueryData(query(currentUser)),
      client.ensureQueryData(query(getSite)),
    ])
    return { user, site }
  },
  shellComponent: Document,
  component: SiteLayout,
})

/** One row of the route table: path, who may see it, what to load, the page. */
export function page<const P extends string, S = Record<never, never>>(spec: PageSpec<P, S>) {
  const { path, who, title } = spec
  const isIndexed = isPublicPath(path)
  const canonical = spec.canonical ?? (isIndexed ? path : undefined)
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: Record<string, unknown>): S => spec.search?.(search) ?? ({} as S),
    beforeLoad: ({ context: { user, site, openedAt }, location, search, preload }) => {
      // Where the chat is on, public pages let its provider in. The others never inherit that: they get a document of their own.
      if (openedAt && !preload && site.chat.provider !== 'off' && !isIndexed && isPublicPath(openedAt))
        throw redirect({ href: location.publicHref, reloadDocument: true })
      // Whose password an administrator has set chooses one of their own before anything else.
      const mustChoose = user?.mustChangePassword ?? false
      if (mustChoose && path !== choosePasswordPath && !spec.hidesAddress) {
        const target = who === 'nobody' ? (search as { redirect?: string }).redirect : location.href
        throw redirect({ to: choosePasswordPath as never, search: { redirect: target } as never })
      }
      if (user && !mustChoose && path === choosePasswordPath)
        throw redirect({ href: safePath((search as { redirect?: string }).redirect) })
      if (who === 'nobody' && user) throw redirect({ href: safePath((search as { redirect?: string }).redirect) })
      if ((who === 'member' || who === 'admin') && !user)
        throw redirect({ to: '/auth' as never, search: { redirect: location.href } as never })
      if (who === 'admin' && user?.role !== 'admin') throw redirect({ to: '/dashboard' as never })
    },
    // No loaderDeps: another tab, search or step of a page is the same page, and no spinner may take its place meanwhile.
    loader: async ({ context: { client }, params, location }) => {
      const input = {
        params: params as Record<string, string>,
        search: spec.search?.(location.search as Record<string, unknown>) ?? ({} as S),
      }
      const beside = spec.loadBeside?.(input) ?? []
      if (!import.meta.env.SSR) for (const q of beside) void client.prefetchQuery(q as never)
      await Promise.all([
        ...(import.meta.env.SSR ? beside : []).map((q) => client.ensureQueryData(q as never)),
        ...(spec.load?.(input) ?? []).map((q) => client.ensureQueryData(q as never)),
        ...(spec.tryLoad?.(input) ?? []).map((q) => client.prefetchQuery(q as never)),
      ])
    },
    head: ({ match }) => {
      const { site, origin, client } = (match as unknown as { context: { site?: Site } & RouterContext }).context
      const brand = site?.brand.name ?? 'SauceTV'
      const text =
        typeof title === 'function' ? title(brand, match.params as Record<string, string>) : `${title} – ${brand}`
      const name = typeof title === 'function' ? text : title
      return {
        meta: [
          { title: text },
          ...(isIndexed ? [] : [{ name: 'robots', content: noIndex }]),
          ...(import.meta.env.SSR && isIndexed && site
            ? forMachines({ path, name, title: text, site, origin, client })
            : []),
        ],
        links: canonical ? [{ rel: 'canonical', href: origin + canonical }] : [],
      }
    },
    headers: () => (isIndexed ? undefined : privateHeaders(spec)) as Record<string, string>,
    component: spec.page,
  })
}

const privateHeaders = ({
  showsSecrets,
  hidesAddress,
}: {
  showsSecrets?: boolean
  hidesAddress?: boolean
}): Record<string, string> => ({
  'x-robots-tag': noIndex,
  ...((showsSecrets || hidesAddress) && { 'cache-control': 'no-store' }),
  ...(hidesAddress && { 'referrer-policy': 'no-referrer' }),
})

/** A word of an address: a number in it comes as one. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
