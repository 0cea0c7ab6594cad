import { useState } from 'react'
import type { AdminPlan } from '#features/catalog/admin-contract.ts'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { SettingForm } from '../setting-form.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import { panelTypeOptions } from './panel-types.ts'
import { ProvisioningPackages } from './provisioning-packages.tsx'
import { ProvisioningTest } from './provisioning-test.tsx'
import { type StoredProvisioning, useProvisioningForm } from './use-provisioning-form.ts'

interface Props {
  stored: StoredProvisioning
  plans: AdminPlan[]
}

export function ProvisioningSetting({ stored, plans }: Props) {
  const setting = useProvisioningForm(
    stored,
    plans.map(({ id }) => id),
  )
  const [listed, setListed] = useState<ListedPackage[]>([])
  const { field, register, watch } = setting.form
  const kind = watch('kind')
  const panelType = panelTypeOptions.find((option) => option.kind === kind)!
  const isManual = kind === 'manual'
  const typed = () => {
    const [address, username, key, ca] = watch(['address', 'username', 'key', 'ca'])
    return { kind, address, username, key, ca }
  }
  return (
    <SettingForm
      setting={setting}
      hint="The panel that creates your customers’ lines after payment, and how long lines stay enabled after a subscription ends."
    >
      <Field label="Panel type" hint={panelType.hint} {...field('kind')}>
        <NativeSelect {...register('kind')}>
          {panelTypeOptions.map((option) => (
            <option key={option.kind} value={option.kind}>
              {option.name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {!isManual && (
        <>
          <ConnectionFields form={setting.form} kind={kind} keySet={setting.stored.keySet} />
          <ProvisioningTest values={typed} onListed={setListed} />
          <ProvisioningPackages form={setting.form} plans={plans} listed={listed} kind={kind} />
        </>
      )}
      <Field
        label="Server that customers enter in their app"
        optional
        hint="Leave empty to use the address in PANEL_URL."
        {...field('server')}
      >
        <Input
          {...register('server')}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
        />
      </Field>
      <Field
        label="Grace days"
        hint="How many days a line stays enabled after its subscription ends."
        {...field('graceDays')}
      >
        <Input {...register('graceDays', { valueAsNumber: true })} type="number" min={0} max={90} required />
      </Field>
    </SettingForm>
  )
}
