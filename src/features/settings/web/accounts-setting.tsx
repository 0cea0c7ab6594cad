import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function AccountsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'accounts',
    title: 'Accounts and Security',
    schema: settingSections.accounts,
    fields: ['refuseGuessablePasswords', 'emailVerification', 'newLoginMail', 'requireTwoFactorForAdmins'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm setting={setting} hint="How accounts are protected.">
      <Field label="Reject easily guessed passwords" {...field('refuseGuessablePasswords')}>
        <NativeSelect {...register('refuseGuessablePasswords')}>
          <option value="admins">For administrators</option>
          <option value="everyone">For everyone</option>
        </NativeSelect>
      </Field>
      <Field label="Email address confirmation" {...field('emailVerification')}>
        <NativeSelect {...register('emailVerification')}>
          <option value="off">Off</option>
          <option value="optional">Optional</option>
          <option value="required">Required before buying</option>
        </NativeSelect>
      </Field>
      <Checkbox
        label="Email users about logins from new devices"
        {...field('newLoginMail')}
        {...register('newLoginMail')}
      />
      <Checkbox
        label="Require two-step verification for administrators"
        hint="Admins, including you, are locked out until they set this up."
        {...field('requireTwoFactorForAdmins')}
        {...register('requireTwoFactorForAdmins')}
      />
    </SettingForm>
  )
}
