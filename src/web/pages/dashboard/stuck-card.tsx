import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LifeBuoy } from 'lucide-react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../../data.ts'
import { useSetupStage } from './get-watching/use-setup-stage.ts'

/** Directs new customers to support while their setup is not finished. */
export function StuckCard() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const stage = useSetupStage()
  if (!stage) return null
  const { support } = site.claims
  return (
    <section className="card card-body flex gap-4" aria-labelledby="stuck-title">
      <LifeBuoy size={22} className="flex-none text-brand-text" aria-hidden="true" />
      <div className="min-w-0">
        <h2 id="stuck-title" className="text-lg">
          Stuck?
        </h2>
        <p className="mt-1 mb-3 text-fg-2">
          {support ? `Our team answers ${support}.` : 'Our team is happy to help.'} They see your order, so there is no
          need to repeat it.
        </p>
        <Link to="/contact" className="link font-semibold">
          Contact Support
        </Link>
        <Link to="/status" className="link ml-4">
          Service Status
        </Link>
      </div>
    </section>
  )
}
