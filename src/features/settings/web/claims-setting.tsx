import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

const words = [
  { name: 'claims.liveChannels', label: 'Live channels' },
  { name: 'claims.countries', label: 'Countries the channels come from' },
  { name: 'claims.worldCountries', label: 'Countries, in the complete lineup' },
  { name: 'claims.totalChannels', label: 'Channels in total, in the complete lineup' },
  { name: 'claims.support', label: 'Support hours' },
] as const
const days = [
  { name: 'claims.catchUpDays', label: 'Days of catch-up' },
  { name: 'claims.moneyBackDays', label: 'Days of money back' },
] as const

export function ClaimsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'claims',
    title: 'Marketing Claims',
    schema: settingSections.claims,
    fields: [...words, ...days].map(({ name }) => name),
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="The figures pages promise. Only promise what you keep; features of plans are texts of their own in the catalogue."
    >
      {words.map(({ name, label }) => (
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
