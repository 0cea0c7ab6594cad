import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function ReferralsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({ section: 'referrals', title: 'Referrals', schema: settingSections.referrals, fields: ['percent'], stored })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="Taken off the first invoice of somebody who was referred, and credited to who referred them. Invoices already made stay as they are."
    >
      <Field label="Percent" {...field('percent')}>
        <Input {...register('percent', { valueAsNumber: true })} type="number" min={0} max={100} required />
      </Field>
    </SettingForm>
  )
}
