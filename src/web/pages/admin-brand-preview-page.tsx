import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { listChannels, listDeviceCategories, listFaqs, listPlans } from '#features/catalog/contract.ts'
import { type BrandSettings, getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { HomePage } from './home-page.tsx'

/** The home page as a visitor sees it, in the frame of the brand settings. It shows the brand that the settings send. */
export function AdminBrandPreviewPage() {
  usePreviewedBrand()
  const parts = [
    useQuery(query(listPlans)),
    useQuery(query(listChannels)),
    useQuery(query(listDeviceCategories)),
    useQuery(query(listFaqs)),
  ]
  if (parts.some(({ data }) => data === undefined)) return <PageSpinner />
  return (
    <Suspense fallback={<PageSpinner />}>
      <HomePage />
    </Suspense>
  )
}

type Message = { brand: BrandSettings; theme: 'light' | 'dark'; sheet: string }

/** Applies the brand, theme and accent color that the page around this frame sends. Nothing in the frame can be clicked. */
function usePreviewedBrand(): void {
  const client = useQueryClient()
  useEffect(() => {
    const accent = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, accent]
    document.body.inert = true
    client.setQueryData([currentUser.id], null)
    let shownSheet = ''
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (origin !== location.origin || source !== parent || typeof data !== 'string') return
      const { brand, theme, sheet } = JSON.parse(data) as Message
      document.documentElement.dataset.theme = theme
      // Replacing a style sheet makes the browser compute every style again.
      if (sheet !== shownSheet) accent.replaceSync(sheet)
      shownSheet = sheet
      client.setQueryData(query(getSite).queryKey, (site) => site && { ...site, brand })
    }
    addEventListener('message', onMessage)
    parent.postMessage('brand-preview-ready', location.origin)
    return () => removeEventListener('message', onMessage)
  }, [client])
}
