import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function RenewalsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'renewals',
    title: 'Renewals',
    schema: settingSections.renewals,
    fields: ['daysAhead', 'reminderDays'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="Nobody is charged by himself: customers get an invoice ahead of the end, and mails that remind them. Paying early loses no day."
    >
      <Field label="Days before the end a renewal invoice is made" hint="0: never." {...field('daysAhead')}>
        <Input {...register('daysAhead', { valueAsNumber: true })} type="number" min={0} max={60} required />
      </Field>
      <Field
        label="Days before the end a mail reminds"
        hint="Such as 7, 3, 1. Empty: never."
        {...field('reminderDays')}
      >
        <Input {...register('reminderDays')} autoComplete="off" inputMode="numeric" />
      </Field>
    </SettingForm>
  )
}
