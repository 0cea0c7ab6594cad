import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Plan } from '#features/catalog/contract.ts'
import { namedTiers, plansOfTier } from '#features/catalog/rules.ts'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { getOwnSubscription } from '../contract.ts'
import { ChangePlanItem } from './change-plan-item.tsx'

const loadDialog = () => import('./change-plan-dialog.tsx')
const ChangePlanDialog = lazy(() => loadDialog().then((module) => ({ default: module.ChangePlanDialog })))
const preload = () => void loadDialog()

/** The Change Plan list with every other plan on sale. Hidden while a plan change waits for approval, which a notice above reports. */
export function ChangePlan({ plans, planId }: { plans: Plan[]; planId: number }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  const [chosen, setChosen] = useState<{ plan: Plan; turn: number }>()
  const button = useRef<HTMLElement>(null)
  const current = plans.find((plan) => plan.id === planId)
  const isChanging = subscription.change !== null
  const choose = (plan: Plan, from: HTMLElement) => {
    button.current = from
    setChosen((before) => ({ plan, turn: (before?.turn ?? 0) + 1 }))
  }

  return (
    <>
      {!isChanging && (
        <section className="col-span-full mt-7 grid gap-5 lg:grid-cols-2" aria-labelledby="change-title">
          <div className="col-span-full">
            <h2 id="change-title">Change Plan</h2>
            <p className="mt-2 text-fg-2">
              Choose another plan to see what it would cost today. Your plan changes only after an administrator
              approves it.
            </p>
          </div>
          {namedTiers(site.brand.plans).map(({ tier, slug, name, caption }) => {
            const others = plansOfTier(plans, tier).filter((plan) => plan.id !== planId)
            if (others.length === 0) return null
            return (
              <Card
                key={tier}
                title={name}
                titleId={`change-${slug}`}
                heading="h3"
                aside={<p className="text-sm text-fg-2">{caption}</p>}
                flush
              >
                <ul className="divide-y divide-line">
                  {others.map((plan) => (
                    <ChangePlanItem key={plan.id} plan={plan} current={current} onPreload={preload} onChoose={choose} />
                  ))}
                </ul>
              </Card>
            )
          })}
        </section>
      )}
      <Suspense>
        {chosen && <ChangePlanDialog key={chosen.turn} next={chosen.plan} current={current} opener={button} />}
      </Suspense>
    </>
  )
}
