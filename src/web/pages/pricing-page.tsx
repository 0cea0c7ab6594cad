import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { listPlans } from '#features/catalog/contract.ts'
import { type Tier, tiers } from '#features/catalog/rules.ts'
import { PricingSection } from '#features/catalog/web/pricing-section.tsx'
import { query } from '../data.ts'
import { PageHeader } from '../ui/page-header.tsx'

export function PricingPage() {
  const { data: plans } = useSuspenseQuery(query(listPlans))
  const { tier: slug } = useSearch({ from: '/pricing' })
  const navigate = useNavigate()
  const tier = tiers.find((t) => t.slug === slug)?.tier ?? 1
  const choose = (next: Tier) => {
    const chosen = next === 1 ? undefined : tiers.find((t) => t.tier === next)!.slug
    void navigate({ to: '/pricing', search: { tier: chosen }, replace: true, resetScroll: false })
  }
  return (
    <section className="section">
      <div className="wrap">
        <PageHeader title="Choose Your Beast" lead="Four sizes, one appetite. Longer beasts cost less per month. No long-term contracts." />
        <PricingSection plans={plans} tier={tier} onTier={choose} heading="h2" />
      </div>
    </section>
  )
}
