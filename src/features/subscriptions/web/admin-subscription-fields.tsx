import type { UserRow } from '#features/accounts/admin-contract.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { statusNames } from '../rules.ts'
import { noPlan, onePeriod, type SubscriptionForm } from './subscription-form.ts'

interface Props {
  form: ReturnType<typeof useSchemaForm<SubscriptionForm, SubscriptionForm>>
  plans: readonly Plan[]
  planName: (planId: number | null) => string
  user: UserRow
}

/** The plan, status and date fields, with a button that fills in one full period. */
export function AdminSubscriptionFields({ form, plans, planName, user }: Props) {
  const chosen = plans.find((plan) => String(plan.id) === form.watch('planId'))
  // The current plan may no longer be sold, or the plans may still be loading. Options are keyed by plan id because a select loses its value when
  // the selected option is replaced.
  const isListed = user.planId === null || plans.some((plan) => plan.id === user.planId)
  const options = [...(isListed ? [] : [{ id: user.planId!, name: planName(user.planId) }]), ...plans]
  const fillIn = (plan: Plan) => {
    const { status, startDate, endDate } = onePeriod(plan, new Date())
    form.setValue('status', status)
    form.setValue('startDate', startDate)
    form.setValue('endDate', endDate)
  }
  return (
    <>
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Plan" {...form.field('planId')}>
          <NativeSelect {...form.register('planId')}>
            <option value={noPlan}>No Plan</option>
            {options.map((plan) => (
              <option key={plan.id} value={String(plan.id)}>
                {plan.name}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Status" {...form.field('status')}>
          <NativeSelect {...form.register('status')}>
            {Object.entries(statusNames).map(([status, name]) => (
              <option key={status} value={status}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="Start Date" {...form.field('startDate')}>
          <Input type="date" {...form.register('startDate')} />
        </Field>
        <Field label="End Date" {...form.field('endDate')}>
          <Input type="date" {...form.register('endDate')} />
        </Field>
      </div>
      {chosen && (
        <Button variant="line" size="sm" className="justify-self-start" onClick={() => fillIn(chosen)}>
          {chosen.months === 1 ? '1 month' : `${chosen.months} months`} from today
        </Button>
      )}
    </>
  )
}
