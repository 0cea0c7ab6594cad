import type { AdminPlan } from '#features/catalog/contract.ts'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import { packageText } from '#features/provisioning/rules.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { useProvisioningForm } from './use-provisioning-form.ts'

interface Props {
  form: ReturnType<typeof useProvisioningForm>['form']
  plans: AdminPlan[]
  /** What the panel offers, once it was asked. */
  listed: ListedPackage[]
  kind: string
}

/** Which of the panel's packages each plan is, and which one a trial. */
export function ProvisioningPackages({ form: { field, register }, plans, listed, kind }: Props) {
  const what =
    kind === 'xc-api'
      ? 'Numbers of bouquets, such as 1,2,3.'
      : listed.length > 0
        ? 'Choose from the panel’s list.'
        : 'Test the connection to choose from a list.'
  return (
    <fieldset className="grid gap-4">
      <legend className="field-label">Package of each plan</legend>
      <p className="field-hint">{what} A plan without one waits for an administrator.</p>
      <datalist id="panel-packages">
        {listed.map((each) => (
          <option key={each.packageRef} value={each.packageRef}>
            {packageText(each)}
          </option>
        ))}
      </datalist>
      {plans.map(({ id, name }) => (
        <Field key={id} label={name} optional {...field(`packages.${id}`)}>
          <Input {...register(`packages.${id}`)} list="panel-packages" autoComplete="off" spellCheck={false} />
        </Field>
      ))}
      <Field label="Trials" optional {...field('trialPackage')}>
        <Input {...register('trialPackage')} list="panel-packages" autoComplete="off" spellCheck={false} />
      </Field>
    </fieldset>
  )
}
