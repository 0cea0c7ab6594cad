import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { getEmailVerification } from '#features/accounts/contract.ts'
import { getInvoice, invoiceNumberPattern, listInvoices, listRefunds } from '#features/billing/contract.ts'
import { listChannels, listDeviceCategories, listFaqs, listPlans } from '#features/catalog/contract.ts'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { getAccountCredit, getReferralInfo } from '#features/referrals/contract.ts'
import { listReports } from '#features/reports/contract.ts'
import { getLegalText, getPaymentMethods, type LegalDocument } from '#features/settings/contract.ts'
import { legalTitles } from '#features/settings/rules.ts'
import { listPaidTime } from '#features/subscriptions/contract.ts'
import { listTrialRequests } from '#features/trials/contract.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { adminRoutes } from './admin-routes.tsx'
import { type DataClient, query } from './data.ts'
import { invoiceRoutes } from './invoice-routes.tsx'
import { choosePasswordPath, page, type RouterContext, root, text } from './route.tsx'
import { ErrorView } from './shell/error-view.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageSpinner } from './shell/page-spinner.tsx'

// The route table, in the order of the specification.
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
  search: (s): { category?: string } => ({ category: text(s.category) }),
  prefetch: () => [query(listChannels)],
  page: lazyRouteComponent(() => import('./pages/channels-page.tsx'), 'ChannelsPage'),
})
const lineup = page({
  path: '/channels/lineup',
  who: 'anyone',
  title: 'Complete lineup',
  search: (s): { tab?: string } => ({ tab: text(s.tab) }),
  prefetch: () => [query(listChannels)],
  page: lazyRouteComponent(() => import('#features/catalog/web/channels/lineup-page.tsx'), 'LineupPage'),
})
const pricing = page({
  path: '/pricing',
  who: 'anyone',
  title: 'Plans and pricing – Choose Your Beast',
  search: (s): { tier?: string } => ({ tier: text(s.tier) }),
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
  search: (s): { device?: string } => ({ device: text(s.device) }),
  page: lazyRouteComponent(() => import('./pages/setup-page.tsx'), 'SetupPage'),
})
const requestTrial = page({
  path: '/request-trial',
  who: 'member',
  title: 'Free trial',
  showsSecrets: true,
  tryLoad: () => [query(listTrialRequests)],
  page: lazyRouteComponent(() => import('#features/trials/web/request-trial-page.tsx'), 'RequestTrialPage'),
})
/** The checkout displays this value, so anything but an invoice number is dropped: a link must not put foreign text on the page. */
const orderNumber = (value: unknown) => text(value)?.match(invoiceNumberPattern)?.[0]
const checkout = page({
  path: '/checkout',
  who: 'member',
  title: 'Checkout',
  search: (s): { planId?: number; invoiceNumber?: string } => ({
    planId: Number(text(s.planId)) || undefined,
    invoiceNumber: orderNumber(s.invoiceNumber),
  }),
  load: () => [query(listPlans), query(getPaymentMethods), query(listPaidTime)],
  // On the server only: in the browser the checkout itself writes the number into the URL, and loading would interrupt it.
  tryLoad: ({ search }) =>
    import.meta.env.SSR && search.invoiceNumber
      ? [query(getInvoice, { params: { invoiceNumber: search.invoiceNumber } })]
      : [],
  page: lazyRouteComponent(() => import('#features/billing/web/checkout/checkout-page.tsx'), 'CheckoutPage'),
})
const authSearch = (s: Record<string, unknown>): { redirect?: string; ref?: string; tab?: string } => ({
  redirect: text(s.redirect),
  ref: text(s.ref),
  tab: text(s.tab),
})
const authPage = lazyRouteComponent(() => import('#features/accounts/web/auth-page.tsx'), 'AuthPage')
const auth = page({
  path: '/auth',
  who: 'guest',
  title: 'Log in or register',
  canonical: '/auth',
  search: authSearch,
  page: authPage,
})
const register = page({
  path: '/register',
  who: 'guest',
  title: 'Log in or register',
  canonical: '/auth',
  search: authSearch,
  page: authPage,
})
const forgotPassword = page({
  path: '/forgot-password',
  who: 'anyone',
  title: 'Forgot your password?',
  page: lazyRouteComponent(() => import('#features/accounts/web/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})
const resetPassword = page({
  path: '/reset-password',
  who: 'anyone',
  title: 'Set a new password',
  hidesAddress: true,
  search: (s): { token?: string } => ({ token: text(s.token) }),
  page: lazyRouteComponent(() => import('#features/accounts/web/reset-password-page.tsx'), 'ResetPasswordPage'),
})
const verifyEmail = page({
  path: '/verify-email',
  who: 'anyone',
  title: 'Confirm your email address',
  hidesAddress: true,
  search: (s): { token?: string } => ({ token: text(s.token) }),
  page: lazyRouteComponent(() => import('#features/accounts/web/verify-email-page.tsx'), 'VerifyEmailPage'),
})
const security = page({
  path: '/security',
  who: 'member',
  title: 'Account Security',
  page: lazyRouteComponent(() => import('./pages/security-page.tsx'), 'SecurityPage'),
})
const choosePassword = page({
  path: choosePasswordPath,
  who: 'member',
  title: 'Choose a new password',
  search: (s): { redirect?: string } => ({ redirect: text(s.redirect) }),
  page: lazyRouteComponent(() => import('#features/accounts/web/choose-password-page.tsx'), 'ChoosePasswordPage'),
})
const accountTabQueries: Record<string, () => { queryKey: readonly unknown[] }[]> = {
  iptv: () => [query(getOwnLine)],
  referrals: () => [query(getReferralInfo), query(getAccountCredit)],
  reports: () => [query(listReports)],
  watchlist: () => [query(listWatchlist)],
}
const dashboard = page({
  path: '/dashboard',
  who: 'member',
  title: 'My Account',
  search: (s): { tab?: string } => ({ tab: text(s.tab) }),
  load: () => [
    query(listPlans),
    query(listInvoices),
    query(listPaidTime),
    query(listRefunds),
    query(getEmailVerification),
  ],
  // On the server only: in the browser each tab fetches its own data.
  tryLoad: ({ search }) => (import.meta.env.SSR ? (accountTabQueries[search.tab ?? '']?.() ?? []) : []),
  page: lazyRouteComponent(() => import('./pages/dashboard-page.tsx'), 'DashboardPage'),
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
  requestTrial,
  ...legal,
  checkout,
  auth,
  register,
  forgotPassword,
  resetPassword,
  verifyEmail,
  security,
  choosePassword,
  dashboard,
  ...invoiceRoutes,
  ...adminRoutes,
])
/** Creates the router: once in the browser, once per request on the server. */
export function makeRouter(
  client: DataClient,
  { nonce, ...options }: Omit<RouterContext, 'client'> & { nonce?: string },
) {
  const context = { ...options, client }
  const router = createRouter({
    routeTree,
    context,
    // Canonical URLs use the configured origin, not the host of the request.
    dehydrate: () => ({ origin: options.origin }),
    hydrate: ({ origin }) => {
      context.origin = origin
    },
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
  setupRouterSsrQueryIntegration({ router, queryClient: client })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
