import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { currentUser, type User } from '#features/accounts/contract.ts'
import { listChannels, listDeviceCategories, listFaqs, listPlans, type Plan } from '#features/catalog/contract.ts'
import { planName, type Tier } from '#features/catalog/rules.ts'
import { type BrandSettings, getPaymentMethods, getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { HomePage } from './home-page.tsx'

const CheckoutFlow = lazy(() =>
  import('#features/billing/web/checkout/checkout-flow.tsx').then((module) => ({ default: module.CheckoutFlow })),
)

/** A page as a customer sees it, in a frame on the Brand settings page. The settings page sends the brand that this page shows with `postMessage`. */
export function AdminBrandPreviewPage() {
  const page = usePreviewedBrand()
  const plans = useQuery(query(listPlans))
  const parts = [
    plans,
    useQuery(query(listChannels)),
    useQuery(query(listDeviceCategories)),
    useQuery(query(listFaqs)),
    useQuery(query(getPaymentMethods)),
  ]
  if (parts.some(({ data }) => data === undefined)) return <PageSpinner />
  const planId = plans.data?.find(({ popular }) => popular)?.id
  return (
    <Suspense fallback={<PageSpinner />}>
      {page === 'home' ? <HomePage /> : <CheckoutFlow address={{ planId }} onNumber={() => undefined} />}
    </Suspense>
  )
}

type PreviewedPage = 'home' | 'checkout'
type Message = { brand: BrandSettings; theme: 'light' | 'dark'; page: PreviewedPage; sheet: string }

/** Applies the brand, theme and accent color that the settings page sends, and returns the page to show. Nothing in the frame can be clicked. */
function usePreviewedBrand(): PreviewedPage {
  const client = useQueryClient()
  const [page, setPage] = useState<PreviewedPage>('home')
  useEffect(() => {
    const accent = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, accent]
    document.body.inert = true
    const admin = client.getQueryData<User>([currentUser.id])
    let shownSheet = ''
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (origin !== location.origin || source !== parent || typeof data !== 'string') return
      const { brand, theme, page: chosen, sheet } = JSON.parse(data) as Message
      document.documentElement.dataset.theme = theme
      // Replacing a style sheet makes the browser compute every style again.
      if (sheet !== shownSheet) accent.replaceSync(sheet)
      shownSheet = sheet
      // The home page is shown as to a logged-out visitor, the checkout as to a customer.
      client.setQueryData([currentUser.id], chosen === 'checkout' && admin ? { ...admin, role: 'user' } : null)
      client.setQueryData(query(getSite).queryKey, (site) => site && { ...site, brand })
      client.setQueryData(query(listPlans).queryKey, (plans) => plans?.map((plan) => renamed(plan, brand.plans)))
      setPage(chosen)
    }
    addEventListener('message', onMessage)
    parent.postMessage('brand-preview-ready', location.origin)
    return () => removeEventListener('message', onMessage)
  }, [client])
  return page
}

const renamed = (plan: Plan, names: readonly string[]): Plan => ({
  ...plan,
  name: planName(plan.tier as Tier, plan.connections, names),
})
