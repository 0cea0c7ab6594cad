import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

const texts = [
  { name: 'claims.liveChannels', label: 'Live channels' },
  { name: 'claims.countries', label: 'Countries with channels' },
  { name: 'claims.worldCountries', label: 'Countries in the complete lineup' },
  { name: 'claims.totalChannels', label: 'Total channels in the complete lineup' },
  { name: 'claims.support', label: 'Support hours' },
] as const
const days = [
  { name: 'claims.catchUpDays', label: 'Catch-up in days' },
  { name: 'claims.moneyBackDays', label: 'Money-back guarantee in days' },
] as const

export function ClaimsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'claims',
    title: 'Marketing Claims',
    schema: settingSections.claims,
    fields: [...texts, ...days].map(({ name }) => name),
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="Figures on the public pages. Claim only what you can deliver. Plan features are edited in the catalog."
    >
      {texts.map(({ name, label }) => (
        <Field key={name} label={label} {...field(name)}>
          <Input {...register(name)} autoComplete="off" required />
        </Field>
      ))}
      {days.map(({ name, label }) => (
        <Field key={name} label={label} {...field(name)}>
          <Input {...register(name, { valueAsNumber: true })} type="number" min={0} max={365} required />
        </Field>
      ))}
    </SettingForm>
  )
}
