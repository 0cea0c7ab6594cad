import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function BrandSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'brand',
    title: 'Brand and Contact',
    schema: settingSections.brand,
    fields: ['brand.name', 'brand.mascot', 'contact.email', 'contact.phone'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm setting={setting} hint="The name in the header, page titles and emails, and your contact details.">
      <Field label="Brand name" {...field('brand.name')}>
        <Input {...register('brand.name')} autoComplete="off" required />
      </Field>
      <Checkbox
        label="Show the mascot"
        hint="If off, pages show plain bars instead."
        {...field('brand.mascot')}
        {...register('brand.mascot')}
      />
      <Field label="Contact email" {...field('contact.email')}>
        <Input {...register('contact.email')} type="email" autoComplete="off" required />
      </Field>
      <Field label="Phone" optional {...field('contact.phone')}>
        <Input {...register('contact.phone')} type="tel" autoComplete="off" />
      </Field>
    </SettingForm>
  )
}
