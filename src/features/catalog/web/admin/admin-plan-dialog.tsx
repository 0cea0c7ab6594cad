import { useQueryClient } from '@tanstack/react-query'
import { plainDollars } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { type AdminPlan, createPlan, deletePlan, listAllPlans, planForm, updatePlan } from '../../admin-contract.ts'
import { listPlans } from '../../contract.ts'
import { AdminEntryDialog } from './admin-entry-dialog.tsx'
import { AdminPlanFields } from './admin-plan-fields.tsx'
import { useEntryForm } from './use-entry-form.ts'

const lists = [listAllPlans, listPlans]

export function AdminPlanDialog({ plan, returnTo }: { plan: AdminPlan | null; returnTo: () => HTMLElement | null }) {
  const client = useQueryClient()
  const create = useSend(createPlan, lists)
  const update = useSend(updatePlan, lists)
  const remove = useSend(deletePlan, lists)
  const entry = useEntryForm({
    noun: 'plan',
    nameOf: ({ name }: AdminPlan) => name,
    schema: planForm,
    fields: ['tier', 'connections', 'price', 'features', 'popular', 'hidden'],
    entry: plan,
    valuesOf: (now) => ({
      tier: now?.tier ?? 1,
      connections: now?.connections ?? 1,
      price: now ? plainDollars(now.price) : '',
      features: now?.features ?? [''],
      popular: now?.popular ?? false,
      hidden: now?.hidden ?? false,
    }),
    create: (body) => create.mutateAsync({ body }),
    update: ({ id, version }, values) => update.mutateAsync({ params: { planId: id }, body: { ...values, version } }),
    remove: ({ id, version }) => remove.mutateAsync({ params: { planId: id }, query: { version } }),
    reload: async ({ id }) =>
      (await client.fetchQuery({ ...query(listAllPlans), staleTime: 0 })).find((each) => each.id === id),
  })
  const { form, current } = entry
  return (
    <AdminEntryDialog
      entry={entry}
      returnTo={returnTo}
      description={current?.name ?? 'The name is derived from the group and the connections.'}
      undeletableReason={
        current?.sold &&
        'This plan has been sold or named in an inquiry, so it cannot be deleted. Hide it to stop selling it.'
      }
    >
      <form id={entry.formId} noValidate className="grid gap-5" onSubmit={entry.submit}>
        <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
        <AdminPlanFields form={form} sold={current?.sold ?? false} />
      </form>
    </AdminEntryDialog>
  )
}
