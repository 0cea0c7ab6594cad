import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Plan } from '#features/catalog/contract.ts'
import { plansOfTier, type Tier, tierOf } from '#features/catalog/rules.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { getOwnSubscription } from '../../contract.ts'
import { ChangePlanItem } from './change-plan-item.tsx'
import { PlanLengthChoice } from './plan-length-choice.tsx'

const loadDialog = () => import('./change-plan-dialog.tsx')
const ChangePlanDialog = lazy(() => loadDialog().then((module) => ({ default: module.ChangePlanDialog })))
const preload = () => void loadDialog()

/**
 * The other plans on sale, by length. `?change=` in the URL opens the dialog for a plan. Hidden while a plan change awaits approval, which a notice
 * above then says.
 */
export function ChangePlan({ plans, planId }: { plans: Plan[]; planId: number }) {
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  const navigate = useNavigate()
  const current = plans.find((plan) => plan.id === planId)
  const isChanging = subscription.change !== null
  const [tier, setTier] = useState<Tier>(current ? tierOf(current).tier : 1)
  const [chosen, setChosen] = useState<{ plan: Plan; openCount: number }>()
  const button = useRef<HTMLElement>(null)
  const choose = (plan: Plan, from: HTMLElement | null) => {
    button.current = from
    setChosen((before) => ({ plan, openCount: (before?.openCount ?? 0) + 1 }))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read once
  useEffect(() => {
    const change = new URLSearchParams(location.search).get('change')
    if (!change) return
    const asked = plans.find((plan) => plan.id === Number(change) && plan.id !== planId)
    if (asked && !isChanging) {
      setTier(tierOf(asked).tier)
      choose(asked, document.getElementById('change-title'))
    }
    void navigate({
      to: '.',
      search: (before) => ({ ...before, change: undefined }),
      replace: true,
      resetScroll: false,
    })
  }, [])

  return (
    <>
      {!isChanging && (
        <Card title="Change Plan" titleId="change-title" flush>
          <div className="grid gap-4 px-4.5 py-5 sm:px-6">
            <p className="text-fg-2">
              Choose another plan to see what it would cost today. Your plan changes only after an administrator
              approves it.
            </p>
            <PlanLengthChoice plans={plans} value={tier} onChange={setTier} connections={current?.connections} />
          </div>
          <ul className="divide-y divide-line border-t">
            {plansOfTier(plans, tier)
              .filter((plan) => plan.id !== planId)
              .map((plan) => (
                <ChangePlanItem key={plan.id} plan={plan} current={current} onPreload={preload} onChoose={choose} />
              ))}
          </ul>
        </Card>
      )}
      <Suspense>
        {chosen && <ChangePlanDialog key={chosen.openCount} next={chosen.plan} current={current} opener={button} />}
      </Suspense>
    </>
  )
}
