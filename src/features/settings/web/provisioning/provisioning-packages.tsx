import type { AdminPlan } from '#features/catalog/admin-contract.ts'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { type PackagesForm, packageText } from './panel-types.ts'

interface Props {
  form: PackagesForm
  plans: AdminPlan[]
  /** The panel's packages, once a connection test has listed them. */
  listed: ListedPackage[]
  kind: string
}

/** The panel's package of each plan and of trials. */
export function ProvisioningPackages({ form: { field, register }, plans, listed, kind }: Props) {
  const hint =
    kind === 'xc-api'
      ? 'Bouquet numbers, such as 1,2,3.'
      : listed.length > 0
        ? 'Choose from the panel’s list.'
        : 'Test the connection to choose from a list.'
  return (
    <fieldset className="grid gap-4">
      <legend className="field-label">Package of each plan</legend>
      <p className="field-hint">{hint} Lines for a plan without a package wait for an administrator.</p>
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
