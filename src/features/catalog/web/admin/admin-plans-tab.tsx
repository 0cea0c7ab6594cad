import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { query, useSend } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { Money } from '#web/ui/money.tsx'
import { type AdminPlan, listAllPlans, updatePlan } from '../../admin-contract.ts'
import { listPlans } from '../../contract.ts'
import { namedTiers } from '../../rules.ts'
import { AdminEntries } from './admin-entries.tsx'
import { AdminEntryRow } from './admin-entry-row.tsx'
import { useToggleHidden } from './use-toggle-hidden.ts'

const AdminPlanDialog = lazy(() =>
  import('./admin-plan-dialog.tsx').then((module) => ({ default: module.AdminPlanDialog })),
)

/** The Plans tab of the catalog, sorted by group and connections as on the pricing page. */
export function AdminPlansTab() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const plans = useQuery(query(listAllPlans))
  const [managed, manage] = useOpenDialog<AdminPlan | null>('entries-add')
  const update = useSend(updatePlan, [listAllPlans, listPlans])
  const hiding = useToggleHidden(
    'Plan',
    ({ id, version, tier, connections, price, features, popular, hidden, name }: AdminPlan) => ({
      name,
      send: () =>
        update.mutateAsync({
          params: { planId: id },
          body: { version, tier, connections, price, features, popular: popular && hidden, hidden: !hidden },
        }),
    }),
  )

  return (
    <>
      <AdminEntries
        title="Plans"
        addLabel="Add Plan"
        onAdd={(button) => manage(null, button)}
        hint="The pricing page shows each group by connections, fewest first. A plan that has been sold can be hidden but not deleted."
        empty="No plans yet. Customers cannot buy anything until you add one."
        result={plans}
      >
        {(all) =>
          namedTiers(site.brand.plans).map(({ tier, name, caption }) => {
            const ofTier = all.filter((plan) => plan.tier === tier)
            return ofTier.length === 0 ? null : (
              <section key={tier} aria-labelledby={`plans-${tier}`}>
                <h3 id={`plans-${tier}`} className="entries-head">
                  {name}, {caption}
                </h3>
                <ul className="entries">
                  {ofTier.map((plan) => (
                    <AdminEntryRow
                      key={plan.id}
                      name={plan.name}
                      hidden={plan.hidden}
                      badges={
                        <>
                          {plan.popular && <Badge variant="secondary">Popular Choice</Badge>}
                          {plan.sold && <Badge>Sold</Badge>}
                        </>
                      }
                      detail={`${plan.features.length} ${plan.features.length === 1 ? 'feature' : 'features'}`}
                      aside={<Money cents={plan.price} className="font-semibold" />}
                      pending={hiding.pending === plan.id}
                      onEdit={(button) => manage(plan, button)}
                      onHide={() => void hiding.toggle(plan)}
                    />
                  ))}
                </ul>
              </section>
            )
          })
        }
      </AdminEntries>
      <Suspense>
        {managed && <AdminPlanDialog key={managed.openCount} plan={managed.subject} returnTo={managed.returnTo} />}
      </Suspense>
    </>
  )
}
