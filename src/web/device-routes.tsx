import { lazyRouteComponent } from '@tanstack/react-router'
import { listPlans } from '#features/catalog/contract.ts'
import { listDevices } from '#features/devices/contract.ts'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { query } from './data.ts'
import { page } from './route.tsx'

// The routes for the devices of a customer. The server redirects /link to the dialog on /screens.
const screens = page({
  path: '/screens',
  who: 'member',
  title: 'Screens',
  search: (s): { pair?: string } => (typeof s.pair === 'string' ? { pair: s.pair } : {}),
  // On the server only: in the browser, the page itself fetches the data.
  ...(import.meta.env.SSR && {
    load: () => [query(listDevices)],
    tryLoad: () => [query(getOwnSubscription), query(listPlans)],
  }),
  page: lazyRouteComponent(() => import('./pages/dashboard/screens-page.tsx'), 'ScreensPage'),
})
const tv = page({
  path: '/tv',
  who: 'anyone',
  title: 'TV',
  hasOwnFrame: true,
  page: lazyRouteComponent(() => import('./pages/tv/tv-page.tsx'), 'TvPage'),
})

export const deviceRoutes = [screens, tv] as const
