import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPlans } from '#features/catalog/contract.ts'
import type { Tier } from '#features/catalog/rules.ts'
import { PricingSection } from '#features/catalog/web/pricing-section.tsx'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { SectionHead } from '../ui/section-head.tsx'
import { Hero } from './home/hero.tsx'

export function HomePage() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: plans } = useSuspenseQuery(query(listPlans))
  const [tier, setTier] = useState<Tier>(1)
  return (
    <>
      <Hero claims={site.claims} />
      <section className="section" id="pricing" aria-labelledby="pricing-title">
        <div className="wrap">
          <SectionHead id="pricing-title" title="Choose Your Beast" lead="Four sizes, one appetite. Longer beasts cost less per month. No long-term contracts." />
          <PricingSection plans={plans} tier={tier} onTier={setTier} />
        </div>
      </section>
    </>
  )
}
