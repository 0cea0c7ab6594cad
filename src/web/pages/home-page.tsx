import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listFaqs, listPlans } from '#features/catalog/contract.ts'
import { pricingHead, type Tier } from '#features/catalog/rules.ts'
import { FaqList } from '#features/catalog/web/faq-list.tsx'
import { planLink } from '#features/catalog/web/plans/plan-link.ts'
import { PricingSection } from '#features/catalog/web/plans/pricing-section.tsx'
import { getSite } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { SectionHead } from '../ui/section-head.tsx'
import { ChannelsSection } from './home/channels-section.tsx'
import { ContactSection } from './home/contact-section.tsx'
import { DevicesSection } from './home/devices-section.tsx'
import { FeaturesSection } from './home/features-section.tsx'
import { Hero } from './home/hero.tsx'
import { useRunningPlan } from './use-running-plan.ts'

const questionsShown = 6

export function HomePage() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: plans } = useSuspenseQuery(query(listPlans))
  const { data: faqs } = useSuspenseQuery(query(listFaqs))
  const running = useRunningPlan()
  const own = plans.find((plan) => plan.id === running?.planId)
  const [tier, setTier] = useState<Tier>(1)
  return (
    <>
      <Hero site={site} />
      <FeaturesSection site={site} />
      <ChannelsSection claims={site.claims} />
      <section className="section" id="pricing" aria-labelledby="pricing-title">
        <div className="wrap">
          <SectionHead id="pricing-title" {...pricingHead(plans, site.brand.plans)} />
          <PricingSection plans={plans} tier={tier} onTier={setTier} offerOf={({ id }) => planLink(id, own?.id)} />
        </div>
      </section>
      <DevicesSection />
      <section className="section" id="faq" aria-labelledby="faq-title">
        <div className="wrap wrap-text">
          <SectionHead id="faq-title" title="Good questions" />
          {faqs[0] && <FaqList faqs={faqs.slice(0, questionsShown)} />}
          <p className="mt-8 text-lg">
            Still have questions?{' '}
            <Link to="/contact" className="link">
              Contact Support
            </Link>
          </p>
        </div>
      </section>
      <ContactSection />
    </>
  )
}
