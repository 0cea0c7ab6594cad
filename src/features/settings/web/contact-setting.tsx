import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function ContactSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'contact',
    title: 'Contact',
    schema: settingSections.contact,
    fields: ['contact.email', 'contact.phone'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="How customers reach you: shown in the footer, on the contact page and in emails."
    >
      <Field label="Contact email" {...field('contact.email')}>
        <Input {...register('contact.email')} type="email" autoComplete="off" required />
      </Field>
      <Field label="Phone" optional {...field('contact.phone')}>
        <Input {...register('contact.phone')} type="tel" autoComplete="off" />
      </Field>
    </SettingForm>
  )
}
