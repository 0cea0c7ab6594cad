import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { getSite, type Site } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { Ticks } from '#web/ui/ticks.tsx'
import type { Plan } from '../../contract.ts'
import { connectionLabel, namedTiers, plansOfTier, savingPercent, type Tier, tiers } from '../../rules.ts'
import { PlanCard } from './plan-card.tsx'
import type { Offer } from './plan-link.ts'
import { TierLabel } from './tier-label.tsx'

const shownFeatures = 4
/** Returns what every plan includes according to the settings. A claim that is 0 or empty is left out. */
const includedIn = ({ moneyBackDays, support }: Site['claims']) => [
  ...(moneyBackDays > 0 ? [`${moneyBackDays}-Day Money Back`] : []),
  ...(support ? [`${support} Support`] : []),
  'Full HD Quality',
]

interface Props {
  plans: Plan[]
  tier: Tier
  onTier: (tier: Tier) => void
  /** The number of features per card. */
  features?: number
  /** The heading level of groups and cards: h2 directly below the h1 of a page. */
  heading?: 'h2' | 'h3'
  /** What a subscriber can do with a plan, and a note below its price. */
  offerOf?: (plan: Plan) => Partial<Offer>
}

/** The four plan groups. All groups are in the HTML: without scripts they are shown one below the other. */
export function PricingSection({
  plans,
  tier,
  onTier,
  features = shownFeatures,
  heading: Heading = 'h3',
  offerOf,
}: Props) {
  // A group without a plan is not shown.
  const { data: site } = useSuspenseQuery(query(getSite))
  const groups = namedTiers(site.brand.plans).filter(({ tier }) => plansOfTier(plans, tier)[0])
  const [first] = groups
  if (!first)
    return (
      <p className="included">
        <b>No plans yet.</b>
        <Link to={'/contact' as never} className="link">
          Request Custom Plan
        </Link>
      </p>
    )
  const tabs = groups.map(({ tier, slug, name, months }) => ({
    value: slug,
    label: name,
    content: (
      <TierLabel
        tier={tier}
        name={name}
        term={months === 1 ? '1 month' : `${months} months`}
        savesPercent={savingPercent(plans, tier)}
      />
    ),
  }))
  // The URL may name a group without plans.
  const chosen = groups.find((group) => group.tier === tier) ?? first
  return (
    <>
      <Tabs
        id="tier"
        label="Subscription length"
        look="tiers"
        tabs={tabs}
        value={chosen.slug}
        onChange={(slug) => onTier(tiers.find((t) => t.slug === slug)!.tier)}
      />
      {groups.map((group) => (
        <div
          key={group.slug}
          role="tabpanel"
          id={`tier-panel-${group.slug}`}
          aria-labelledby={`tier-tab-${group.slug}`}
          className={clsx('tier-panel', group.tier !== chosen.tier && 'folded')}
        >
          <Heading className="tier-heading">{group.name}</Heading>
          <p className="tier-blurb">{group.blurb}</p>
          <ul className="plans">
            {plansOfTier(plans, group.tier).map((plan) => {
              const {
                label = 'Subscribe Now',
                link = { to: '/checkout' as never, search: { planId: plan.id } as never },
                variant = plan.popular ? 'primary' : 'soft',
                ...card
              } = offerOf?.(plan) ?? {}
              return (
                <PlanCard
                  key={plan.id}
                  tier={group.tier}
                  connections={plan.connections}
                  priceCents={plan.price}
                  period={group.caption}
                  features={plan.features.slice(0, features)}
                  popular={plan.popular}
                  {...card}
                  heading={Heading}
                  action={
                    <ButtonLink
                      {...link}
                      preload={false}
                      variant={variant}
                      wide
                      aria-label={`${label} — ${connectionLabel(plan.connections).toLowerCase()}, ${formatCents(plan.price)} ${group.caption}`}
                    >
                      {label}
                    </ButtonLink>
                  }
                />
              )
            })}
          </ul>
        </div>
      ))}
      <div className="included">
        <b>All Plans Include</b>
        <Ticks items={includedIn(site.claims)} />
        <Link to={'/contact' as never} className="link">
          Request Custom Plan
        </Link>
      </div>
    </>
  )
}
