import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { callOf, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import type { AdminIncident } from '../admin-contract.ts'
import { giveDaysBack, listGivenDays, previewGivenDays } from '../admin-days-contract.ts'
import { DaysBackPreview } from './days-back-preview.tsx'
import { type DaysFields, daysBackForm } from './incident-form.ts'

interface Props {
  incident: AdminIncident
  days: z.output<(typeof listGivenDays)['output']>
}

const formId = 'days-back'

/** The form for giving days back: how many, to whom and why, with a preview of the effect. */
export function DaysBackForm({ incident, days: { affectedDays, hasReporters } }: Props) {
  const send = useSend(giveDaysBack, [listGivenDays])
  const form = useSchemaForm({
    schema: daysBackForm,
    id: formId,
    fields: ['days', 'to', 'planIds', 'reason', 'emails'],
    defaultValues: {
      days: affectedDays ?? 1,
      to: 'all',
      planIds: [],
      reason: incident.title.slice(0, 200),
      emails: true,
    } as DaysFields,
  })
  const [days, to, planIds] = [form.watch('days'), form.watch('to'), form.watch('planIds')]
  const everyone = usePreview(incident.id, { days: 1, to: 'all', planIds: [] })
  const preview = usePreview(incident.id, { days, to, planIds })
  const customers = preview.data?.customers ?? 0
  const submit = form.onSubmit(async (values) => {
    await send.mutateAsync({
      params: { incidentId: incident.id },
      body: { ...values, expectedCustomers: preview.data?.customers ?? 0 },
    })
  })
  const groups = [
    { value: 'all', title: 'All customers', description: 'With paid time during the incident.' },
    {
      value: 'plans',
      title: 'By plan',
      description: 'Only customers who had one of the chosen plans during the incident.',
    },
    {
      value: 'reporters',
      title: 'Customers who reported it',
      description: 'With paid time during the incident.',
      disabled: !hasReporters,
    },
  ]
  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field
        label="Days"
        hint={`The incident affected ${affectedDays === 1 ? '1 day' : `${affectedDays} days`}.`}
        {...form.field('days')}
      >
        <Input {...form.register('days', { valueAsNumber: true })} type="number" min={1} max={366} required />
      </Field>
      <RadioCards legend="To" options={groups} {...form.register('to')} />
      {to === 'plans' && (
        <fieldset className="field">
          <legend className="field-label mb-1.5">Plans</legend>
          {everyone.data?.plans.map((plan) => (
            <Checkbox
              key={plan.id}
              label={`${plan.name} (${plan.customers})`}
              value={String(plan.id)}
              {...form.register('planIds')}
            />
          ))}
        </fieldset>
      )}
      <Field label="Reason" hint="Shown to customers." {...form.field('reason')}>
        <Input {...form.register('reason')} autoComplete="off" required />
      </Field>
      <Checkbox label="Email each customer" {...form.register('emails')} />
      <DaysBackPreview preview={preview} />
      {form.failure && form.problems.length === 0 && <FormError message={form.failure} />}
      <div>
        <Button type="submit" pending={form.pending} disabled={customers === 0}>
          {customers === 0
            ? 'Give Days'
            : `Give ${days === 1 ? '1 Day' : `${days} Days`} to ${customers === 1 ? '1 Customer' : `${customers.toLocaleString('en-US')} Customers`}`}
        </Button>
      </div>
    </form>
  )
}

/** Requests the server's preview for these values. No request is sent while they are invalid. */
function usePreview(incidentId: number, { days, to, planIds }: Pick<DaysFields, 'days' | 'to' | 'planIds'>) {
  const isReady = Number.isInteger(days) && days >= 1 && days <= 366 && (to !== 'plans' || planIds.length > 0)
  const body = { days, to, planIds: to === 'plans' ? planIds.map(Number) : [] }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [previewGivenDays.id, incidentId, body],
    queryFn: ({ client, signal }) => callOf(client)(previewGivenDays, { params: { incidentId }, body }, signal),
    enabled: isReady,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return { data: isReady ? data : undefined, isReady, error: isReady ? error : null, isFetching, refetch }
}
