import { useQuery } from '@tanstack/react-query'
import { listPlans } from '#features/catalog/contract.ts'
import { tierOf } from '#features/catalog/rules.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Money } from '#web/ui/money.tsx'
import { Note } from '#web/ui/note.tsx'

/** The plan that a visitor chose before logging in. Renders nothing if the login does not lead to the checkout of a plan on sale. */
export function ChosenPlan({ redirect }: { redirect: string }) {
  const isCheckout = redirect.startsWith('/checkout?')
  const { data: plans } = useQuery({ ...query(listPlans), enabled: isCheckout })
  const planId = isCheckout && Number(new URLSearchParams(redirect.split('?')[1]).get('planId'))
  const plan = plans?.find((each) => each.id === planId)
  if (!plan) return null
  return (
    <Note
      tone="ok"
      className="mb-6"
      action={
        <ButtonLink to="/pricing" variant="line" size="sm">
          Change
        </ButtonLink>
      }
    >
      Your plan: <b className="font-semibold">{plan.name}</b>, <Money cents={plan.price} /> {tierOf(plan).caption}. You
      pay after this step.
    </Note>
  )
}
