import { useSuspenseQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { ListField } from '#web/ui/form/list-field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Note } from '#web/ui/note.tsx'
import type { AdminPlan, planForm } from '../../admin-contract.ts'
import { namedTiers, planName, tierOf } from '../../rules.ts'
import type { useEntryForm } from './use-entry-form.ts'

type PlanForm = ReturnType<typeof useEntryForm<AdminPlan, z.input<typeof planForm>, z.output<typeof planForm>>>['form']

/** The fields of a plan. The group and connections of a sold plan cannot change, since customers have bought them. */
export function AdminPlanFields({ form, sold }: { form: PlanForm; sold: boolean }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const groups = namedTiers(site.brand.plans)
  const { tier, caption } = tierOf({ tier: Number(form.watch('tier')) })
  const connections = Number(form.watch('connections'))
  return (
    <>
      {sold ? (
        <Note>
          This plan has been sold, so its group and connections cannot change. A new price applies to new invoices only.
        </Note>
      ) : (
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Group" {...form.field('tier')}>
            <NativeSelect {...form.register('tier', { valueAsNumber: true })}>
              {groups.map((each) => (
                <option key={each.tier} value={each.tier}>
                  {each.name} ({each.billing})
                </option>
              ))}
            </NativeSelect>
          </Field>
          <Field label="Connections" {...form.field('connections')}>
            <Input
              {...form.register('connections', { valueAsNumber: true })}
              type="number"
              min={1}
              max={100}
              inputMode="numeric"
              required
            />
          </Field>
        </div>
      )}
      {!sold && connections >= 1 && (
        <p className="text-sm text-fg-2">
          Name: <b className="font-semibold text-fg">{planName(tier, connections, site.brand.plans)}</b>
        </p>
      )}
      <Field label={`Price ${caption}`} hint="In US dollars." {...form.field('price')}>
        <Input {...form.register('price')} inputMode="decimal" autoComplete="off" placeholder="14.99" required />
      </Field>
      <ListField
        {...form.field('features')}
        legend="Features"
        hint="Shown on the plan card in this order. Plans are easier to compare with the same features in the same order."
        noun="Feature"
        values={form.watch('features')}
        onChange={(features) => form.setValue('features', features, form.asTyped)}
        errorAt={(index) => form.messageAt(`features.${index}`)}
      />
      <Checkbox
        label="Popular Choice"
        hint={`Only one ${site.brand.plans[tier - 1]} plan can be popular; this replaces the current one.`}
        {...form.field('popular')}
        {...form.register('popular')}
      />
      <Checkbox
        label="Hidden"
        hint="Not shown and not for sale. Existing invoices and subscriptions do not change."
        {...form.field('hidden')}
        {...form.register('hidden')}
      />
    </>
  )
}
