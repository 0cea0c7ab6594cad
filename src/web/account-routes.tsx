import type { QueryClient } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { getEmailVerification } from '#features/accounts/contract.ts'
import { getInvoice, invoiceNumberPattern } from '#features/billing/contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import type { RawGuideSearch } from '#features/guide/web/guide-search.ts'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { getAccountCredit, getReferralInfo } from '#features/referrals/contract.ts'
import { listReports } from '#features/reports/contract.ts'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { getOwnSubscription, listPaidTime, quoteOrder } from '#features/subscriptions/contract.ts'
import { listTrialRequests } from '#features/trials/contract.ts'
import { getWatch } from '#features/watch/contract.ts'
import { listWatchlist } from '#features/watchlist/contract.ts'
import { query } from './data.ts'
import { choosePasswordPath, page, textParam } from './route.tsx'

// The routes for logging in, the account, the free trial, the checkout and watching.
const requestTrial = page({
  path: '/request-trial',
  who: 'member',
  title: 'Free trial',
  showsSecrets: true,
  tryLoad: () => [query(listTrialRequests)],
  page: lazyRouteComponent(() => import('#features/trials/web/request-trial-page.tsx'), 'RequestTrialPage'),
})
/** The checkout displays this value. Anything but an invoice number is dropped, so that a link cannot put arbitrary text on the page. */
const orderNumber = (value: unknown) => textParam(value)?.match(invoiceNumberPattern)?.[0]
const checkout = page({
  path: '/checkout',
  who: 'member',
  title: 'Checkout',
  search: (s): { planId?: number; invoiceNumber?: string } => ({
    planId: Number(textParam(s.planId)) || undefined,
    invoiceNumber: orderNumber(s.invoiceNumber),
  }),
  load: () => [query(listPlans), query(getPaymentMethods), query(listPaidTime)],
  // On the server only: in the browser the checkout itself writes the number into the URL, and loading would interrupt the checkout.
  tryLoad: ({ search }) =>
    !import.meta.env.SSR
      ? []
      : search.invoiceNumber
        ? [query(getInvoice, { params: { invoiceNumber: search.invoiceNumber } })]
        : search.planId
          ? [query(quoteOrder, { query: { planId: search.planId } })]
          : [],
  page: lazyRouteComponent(() => import('#features/billing/web/checkout/checkout-page.tsx'), 'CheckoutPage'),
})
const authSearch = (s: Record<string, unknown>): { redirect?: string; ref?: string; tab?: string } => ({
  redirect: textParam(s.redirect),
  ref: textParam(s.ref),
  tab: textParam(s.tab),
})
/**
 * If the login leads to the checkout, the chosen plan is shown beside the forms. The server loads the plans for it; the browser fetches them when it shows the
 * plan.
 */
const withChosenPlan = import.meta.env.SSR && {
  tryLoad: ({ search }: { search: { redirect?: string } }) =>
    search.redirect?.startsWith('/checkout') ? [query(listPlans)] : [],
}
const authPage = lazyRouteComponent(() => import('#features/accounts/web/auth-page.tsx'), 'AuthPage')
const auth = page({
  path: '/auth',
  who: 'guest',
  title: 'Log in or register',
  canonical: '/auth',
  search: authSearch,
  ...withChosenPlan,
  page: authPage,
})
const register = page({
  path: '/register',
  who: 'guest',
  title: 'Log in or register',
  canonical: '/auth',
  search: authSearch,
  ...withChosenPlan,
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
  search: (s): { token?: string } => ({ token: textParam(s.token) }),
  page: lazyRouteComponent(() => import('#features/accounts/web/reset-password-page.tsx'), 'ResetPasswordPage'),
})
const verifyEmail = page({
  path: '/verify-email',
  who: 'anyone',
  title: 'Confirm your email address',
  hidesAddress: true,
  search: (s): { token?: string } => ({ token: textParam(s.token) }),
  page: lazyRouteComponent(() => import('#features/accounts/web/verify-email-page.tsx'), 'VerifyEmailPage'),
})
const tvLogin = page({
  path: '/tv-login',
  who: 'anyone',
  title: 'Your TV login',
  hidesAddress: true,
  page: lazyRouteComponent(() => import('./pages/tv-login-page.tsx'), 'TvLoginPage'),
})
const unsubscribe = page({
  path: '/unsubscribe',
  who: 'anyone',
  title: 'Unsubscribe',
  hidesAddress: true,
  search: (s): { token?: unknown } => s,
  page: lazyRouteComponent(() => import('./pages/unsubscribe-page.tsx'), 'UnsubscribePage'),
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
  search: (s): { redirect?: string } => ({ redirect: textParam(s.redirect) }),
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
  search: (s): { tab?: string } => ({ tab: textParam(s.tab) }),
  load: ({ search }) => [
    query(getEmailVerification),
    ...(import.meta.env.SSR && accountTabQueries[search.tab ?? '']
      ? []
      : [query(getOwnSubscription), query(getOwnLine), query(getPaymentMethods)]),
  ],
  // On the server only: in the browser each tab fetches its own data.
  tryLoad: ({ search }) => (import.meta.env.SSR ? (accountTabQueries[search.tab ?? '']?.() ?? []) : []),
  page: lazyRouteComponent(() => import('./pages/dashboard-page.tsx'), 'DashboardPage'),
})

const messages = page({
  path: '/messages/{-$ticketId}',
  who: 'member',
  title: 'Messages',
  page: lazyRouteComponent(() => import('./pages/dashboard/messages-page.tsx'), 'MessagesPage'),
})

const watch = page({
  path: '/watch/{-$channelId}',
  who: 'member',
  title: 'Watch',
  search: (s): { from?: unknown } => s,
  load: () => [query(getWatch)],
  page: lazyRouteComponent(() => import('./pages/viewing/watch-page.tsx'), 'WatchPage'),
})

const guide = page({
  path: '/guide',
  who: 'member',
  title: 'Guide',
  search: (s): RawGuideSearch => s,
  page: lazyRouteComponent(() => import('./pages/viewing/guide-page.tsx'), 'GuidePage'),
  // Imported dynamically on the server only, so that the browser never downloads the module.
  ...(import.meta.env.SSR && {
    tryLoad: ({ search }: { search: RawGuideSearch }) => [
      {
        queryKey: ['guide of the server'],
        queryFn: async ({ client }: { client: QueryClient }) =>
          (await import('#features/guide/web/preload-guide.ts')).preloadGuide(client, search),
      },
    ],
  }),
})

const check = page({
  path: '/check',
  who: 'member',
  title: 'Is it me or you?',
  search: (s): { channel?: unknown } => s,
  load: () => [query(getWatch)],
  page: lazyRouteComponent(() => import('./pages/viewing/check-page.tsx'), 'CheckPage'),
})

export const accountRoutes = [
  requestTrial,
  checkout,
  auth,
  register,
  forgotPassword,
  resetPassword,
  verifyEmail,
  tvLogin,
  unsubscribe,
  security,
  choosePassword,
  dashboard,
  messages,
  watch,
  guide,
  check,
] as const
