import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function ReferralsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'referrals',
    title: 'Referrals',
    schema: settingSections.referrals,
    fields: ['percent'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="The discount on the first invoice of a referred customer. The referrer earns the same percentage as account credit, which can be spent once the money-back guarantee of that payment has ended. Existing invoices do not change."
    >
      <Field label="Percent" {...field('percent')}>
        <Input {...register('percent', { valueAsNumber: true })} type="number" min={0} max={100} required />
      </Field>
    </SettingForm>
  )
}
