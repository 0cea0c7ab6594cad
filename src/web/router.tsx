import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { listChannels, listDeviceCategories, listFaqs, listPlans, listSetupGuides } from '#features/catalog/contract.ts'
import { pricingTitle } from '#features/catalog/rules.ts'
import { getStatus } from '#features/incidents/contract.ts'
import { getLegalText, type LegalDocument } from '#features/settings/contract.ts'
import { legalTitles } from '#features/settings/rules.ts'
import { accountRoutes } from './account-routes.tsx'
import { adminRoutes } from './admin-routes.tsx'
import { type DataClient, query } from './data.ts'
import { deviceRoutes } from './device-routes.tsx'
import { invoiceRoutes } from './invoice-routes.tsx'
import { dehydrateQueries, hydrateQueries, type TransferredQueries } from './query-transfer.ts'
import { page, type RouterContext, root, textParam } from './route.tsx'
import { ErrorView } from './shell/error-view.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageSpinner } from './shell/page-spinner.tsx'

// The routes of the public pages.
const home = page({
  path: '/',
  who: 'anyone',
  title: (brand) => `${brand} – Live TV, movies and sports on every screen`,
  load: () => [query(listPlans), query(listChannels), query(listDeviceCategories), query(listFaqs)],
  page: lazyRouteComponent(() => import('./pages/home-page.tsx'), 'HomePage'),
})
const channels = page({
  path: '/channels',
  who: 'anyone',
  title: 'Channel lineup',
  search: (s): { category?: string; q?: string } => ({ category: textParam(s.category), q: textParam(s.q) }),
  prefetch: () => [query(listChannels)],
  page: lazyRouteComponent(() => import('./pages/channels-page.tsx'), 'ChannelsPage'),
})
const lineup = page({
  path: '/channels/lineup',
  who: 'anyone',
  title: 'Complete lineup',
  search: (s): { tab?: string } => ({ tab: textParam(s.tab) }),
  prefetch: () => [query(listChannels)],
  page: lazyRouteComponent(() => import('#features/catalog/web/channels/lineup-page.tsx'), 'LineupPage'),
})
const pricing = page({
  path: '/pricing',
  who: 'anyone',
  title: 'Plans and pricing',
  subtitle: ({ brand }) => pricingTitle(brand.plans),
  search: (s): { tier?: string } => ({ tier: textParam(s.tier) }),
  load: () => [query(listPlans)],
  page: lazyRouteComponent(() => import('./pages/pricing-page.tsx'), 'PricingPage'),
})
const devices = page({
  path: '/devices',
  who: 'anyone',
  title: 'Supported devices',
  load: () => [query(listDeviceCategories)],
  page: lazyRouteComponent(() => import('./pages/devices-page.tsx'), 'DevicesPage'),
})
const faq = page({
  path: '/faq',
  who: 'anyone',
  title: 'Frequently asked questions',
  load: () => [query(listFaqs)],
  page: lazyRouteComponent(() => import('./pages/faq-page.tsx'), 'FaqPage'),
})
const contact = page({
  path: '/contact',
  who: 'anyone',
  title: 'Contact us',
  load: () => [query(listPlans)],
  page: lazyRouteComponent(() => import('./pages/contact-page.tsx'), 'ContactPage'),
})
const setup = page({
  path: '/setup',
  who: 'anyone',
  title: 'Setup guide',
  search: (s): { device?: string } => ({ device: textParam(s.device) }),
  load: () => [query(listSetupGuides)],
  page: lazyRouteComponent(() => import('./pages/setup-page.tsx'), 'SetupPage'),
})
const status = page({
  path: '/status',
  who: 'anyone',
  title: 'Service status',
  // On the server only: the browser opens the page immediately, and the page itself fetches the status.
  ...(import.meta.env.SSR && { load: () => [query(getStatus)] }),
  page: lazyRouteComponent(() => import('./pages/status/status-page.tsx'), 'StatusPage'),
})
const legalPage = <D extends LegalDocument>(document: D) =>
  page({
    path: `/${document}`,
    who: 'anyone',
    title: legalTitles[document],
    load: () => [query(getLegalText, { params: { document } })],
    page: lazyRouteComponent(() => import('#features/settings/web/legal-page.tsx'), 'LegalPage'),
  })

const legal = [
  legalPage('terms'),
  legalPage('privacy'),
  legalPage('refund-policy'),
  legalPage('cookies'),
  legalPage('dmca'),
] as const
/** All pages. */
export const routeTree = root.addChildren([
  home,
  channels,
  lineup,
  pricing,
  devices,
  faq,
  contact,
  setup,
  status,
  ...legal,
  ...accountRoutes,
  ...deviceRoutes,
  ...invoiceRoutes,
  ...adminRoutes,
])
/** Creates the router: once in the browser, once per request on the server. */
export function makeRouter(
  client: DataClient,
  { nonce, ...options }: Omit<RouterContext, 'client'> & { nonce?: string },
) {
  const context = { ...options, client }
  return createRouter({
    routeTree,
    context,
    // Canonical URLs use the configured origin, not the host of the request.
    dehydrate: import.meta.env.SSR
      ? () => ({ origin: options.origin, queries: dehydrateQueries(client) }) as never
      : undefined,
    hydrate: ({ origin, queries }: { origin: string; queries: TransferredQueries }) => {
      context.origin = origin
      hydrateQueries(client, queries)
    },
    Wrap: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    ssr: nonce ? { nonce } : undefined,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    scrollRestoration: true,
    trailingSlash: 'never',
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: ErrorView,
    defaultPendingComponent: PageSpinner,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
