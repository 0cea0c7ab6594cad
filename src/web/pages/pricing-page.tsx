import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { listPlans, type Plan } from '#features/catalog/contract.ts'
import { pricingHead, type Tier, tierOf, tiers } from '#features/catalog/rules.ts'
import { FaqList } from '#features/catalog/web/faq-list.tsx'
import { MonthlyPrice } from '#features/catalog/web/plans/monthly-price.tsx'
import { PlanComparison } from '#features/catalog/web/plans/plan-comparison.tsx'
import { planLink } from '#features/catalog/web/plans/plan-link.ts'
import { PricingSection } from '#features/catalog/web/plans/pricing-section.tsx'
import { getSite, type Site } from '#features/settings/contract.ts'
import { query } from '../data.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Note } from '../ui/note.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { DateText } from '../ui/time/date-text.tsx'
import { useRunningPlan } from './use-running-plan.ts'

export function PricingPage() {
  const { data: plans } = useSuspenseQuery(query(listPlans))
  const { data: site } = useSuspenseQuery(query(getSite))
  const { tier: slug } = useSearch({ from: '/pricing' })
  const navigate = useNavigate()
  const running = useRunningPlan()
  const own = plans.find((plan) => plan.id === running?.planId)
  // Subscribers first see the tier of their plan.
  const initialTier = own ? tierOf(own).tier : 1
  const tier = tiers.find((t) => t.slug === slug)?.tier ?? initialTier
  const choose = (next: Tier) => {
    const chosen = next === initialTier ? undefined : tiers.find((t) => t.tier === next)!.slug
    void navigate({ to: '/pricing', search: { tier: chosen }, replace: true, resetScroll: false })
  }
  const offerOf = (plan: Plan) => ({ ...planLink(plan.id, own?.id), note: <MonthlyPrice plan={plan} plans={plans} /> })
  return (
    <div className="wrap page">
      <PageHeader {...pricingHead(plans, site.brand.plans)} />
      {own && (
        <Note
          tone="ok"
          className="mb-5"
          action={
            <ButtonLink to="/dashboard" variant="line" size="sm">
              My Account
            </ButtonLink>
          }
        >
          You have <b className="font-semibold">{own.name}</b>
          {running?.until && (
            <>
              {' until '}
              <DateText value={running.until} />
            </>
          )}
          .
        </Note>
      )}
      <PricingSection plans={plans} tier={tier} onTier={choose} features={9} heading="h2" offerOf={offerOf} />
      <PlanComparison plans={plans} ownPlanId={own?.id} />
      <div className="pricing-asks contact-grid">
        <div>
          <h2 className="mb-6 text-2xl">Questions about pricing</h2>
          <FaqList faqs={questions(site.claims)} group="pricing-question" />
        </div>
        <div className="tile">
          <h2 className="text-xl">For hotels, bars and offices</h2>
          <p>More than five screens, or an invoice for a company? We offer custom business pricing.</p>
          <p>
            <ButtonLink to="/contact" variant="line">
              Ask for business pricing
            </ButtonLink>
          </p>
        </div>
      </div>
      <p className="mt-8 text-fg-2">
        Not sure yet?{' '}
        <Link to="/faq" className="link">
          Read all questions and answers
        </Link>
      </p>
    </div>
  )
}

const questions = (claims: Site['claims']) => [
  {
    id: 1,
    question: 'What is a connection?',
    answer:
      'One screen playing at a time. With two connections, two screens can play at once. You can install the app on as many devices as you like.',
  },
  {
    id: 2,
    question: 'Will I be charged again automatically?',
    answer:
      'No. A plan runs for its period and then ends unless you pay for another period. Paying early extends it from its end date.',
  },
  {
    id: 3,
    question: 'Can I switch to another plan?',
    answer: 'Yes, in My Account. The invoice is pro-rated: you pay only the difference for the remaining days.',
  },
  {
    id: 4,
    question: 'What if I do not like it?',
    answer: `Every plan has a ${claims.moneyBackDays}-day money-back guarantee.`,
  },
]
