import { useState } from 'react'
import type { AdminPlan } from '#features/catalog/contract.ts'
import type { ListedPackage } from '#features/provisioning/admin-contract.ts'
import { panelMakes } from '#features/provisioning/rules.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Textarea } from '#web/ui/form/textarea.tsx'
import { ProvisioningPackages } from './provisioning-packages.tsx'
import { ProvisioningTest } from './provisioning-test.tsx'
import { SettingForm } from './setting-form.tsx'
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
  const make = panelMakes.find((each) => each.kind === kind)!
  const isManual = kind === 'manual'
  return (
    <SettingForm
      setting={setting}
      hint="Where the lines of your customers are made once an invoice is paid, and how long they stay on after the end."
    >
      <Field label="Lines are made" hint={make.hint} {...field('kind')}>
        <NativeSelect {...register('kind')}>
          {panelMakes.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {!isManual && (
        <>
          <Field label="Address of the panel" hint={make.address} {...field('address')}>
            <Input
              {...register('address')}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://"
            />
          </Field>
          {make.user && (
            <Field label="User name of the API" {...field('username')}>
              <Input {...register('username')} autoComplete="off" spellCheck={false} />
            </Field>
          )}
          <Field
            label={setting.keySet ? 'New key' : 'Key'}
            optional={setting.keySet || kind === 'xc-api'}
            hint={
              setting.keySet
                ? 'A key is set. It is kept sealed and never shown; leave this empty to keep it.'
                : 'Kept sealed, and never shown again once it is saved.'
            }
            {...field('key')}
          >
            <PasswordInput {...register('key')} autoComplete="off" />
          </Field>
          <Field
            label="Certificate of your own authority"
            optional
            hint="Only where the panel’s certificate comes from none that everybody trusts. PEM."
            {...field('ca')}
          >
            <Textarea {...register('ca')} rows={3} spellCheck={false} className="font-mono" />
          </Field>
          <ProvisioningTest watch={watch} onListed={setListed} />
          <ProvisioningPackages form={setting.form} plans={plans} listed={listed} kind={kind} />
        </>
      )}
      <Field
        label="Server customers enter in their app"
        optional
        hint="Empty: the address of PANEL_URL, where it is set."
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
        label="Days of grace"
        hint="How long a line stays on after its subscription has ended."
        {...field('graceDays')}
      >
        <Input {...register('graceDays', { valueAsNumber: true })} type="number" min={0} max={90} required />
      </Field>
    </SettingForm>
  )
}
