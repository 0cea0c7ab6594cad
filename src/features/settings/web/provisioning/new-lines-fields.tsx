import type { AdminPlan } from '#features/catalog/admin-contract.ts'
import type { PanelForm } from '#features/provisioning/admin-panels-contract.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { useSchemaForm } from '#web/ui/form/use-schema-form.ts'

interface Props {
  form: ReturnType<typeof useSchemaForm<PanelForm, PanelForm>>
  plans: AdminPlan[]
}

const limitOf = (value: unknown) => (value === '' || value === null ? null : Number(value))

/** Which new lines are created on a panel. */
export function NewLinesFields({ form, plans }: Props) {
  const chosen = form.watch('planIds')
  return (
    <fieldset className="grid gap-4">
      <legend className="field-label">New lines</legend>
      <Checkbox
        {...form.register('acceptsLines')}
        {...form.field('acceptsLines')}
        label="New lines may be created on this panel"
      />
      <Checkbox
        {...form.register('isDefault')}
        label="Default panel"
        hint="It gets the new lines that no rule assigns. Exactly one panel is the default."
      />
      <fieldset className="grid gap-2">
        <legend className="field-label">Plans</legend>
        <p className="field-hint">New lines of these plans are created on this panel. A plan belongs to one panel.</p>
        {plans.map((plan) => (
          <Checkbox
            key={plan.id}
            label={plan.name}
            checked={chosen.includes(plan.id)}
            onChange={({ target }) =>
              form.setValue(
                'planIds',
                target.checked ? [...chosen, plan.id] : chosen.filter((one) => one !== plan.id),
                form.asTyped,
              )
            }
          />
        ))}
      </fieldset>
      <Field
        label="Limit of lines"
        optional
        hint="Without plans: this panel gets new lines until it has this many. With plans: further lines go to another panel."
        {...form.field('lineLimit')}
      >
        <Input {...form.register('lineLimit', { setValueAs: limitOf })} inputMode="numeric" autoComplete="off" />
      </Field>
    </fieldset>
  )
}
