import { useState } from 'react'
import type { AdminPlan } from '#features/catalog/admin-contract.ts'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { SettingForm } from '../setting-form.tsx'
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
          <Field label="Address of the panel" hint={panelType.address} {...field('address')}>
            <Input
              {...register('address')}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://"
            />
          </Field>
          {panelType.user && (
            <Field label="Username of the API" {...field('username')}>
              <Input {...register('username')} autoComplete="off" spellCheck={false} />
            </Field>
          )}
          <Field
            label={setting.stored.keySet ? 'New key' : 'Key'}
            optional={setting.stored.keySet || kind === 'xc-api'}
            hint={
              setting.stored.keySet
                ? 'A key is set. It is stored encrypted and never shown. Leave this empty to keep it.'
                : 'Stored encrypted and never shown again.'
            }
            {...field('key')}
          >
            <PasswordInput {...register('key')} autoComplete="off" />
          </Field>
          <Field
            label="Certificate of your own CA"
            optional
            hint="Only if the panel’s certificate is not signed by a public CA. PEM format."
            {...field('ca')}
          >
            <Textarea {...register('ca')} rows={3} spellCheck={false} className="font-mono" />
          </Field>
          <ProvisioningTest watch={watch} onListed={setListed} />
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
