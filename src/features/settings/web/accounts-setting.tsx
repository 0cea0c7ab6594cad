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
      <Field label="Refuse the most guessable passwords" {...field('refuseGuessablePasswords')}>
        <NativeSelect {...register('refuseGuessablePasswords')}>
          <option value="admins">Of administrators</option>
          <option value="everyone">Of everyone</option>
        </NativeSelect>
      </Field>
      <Field label="Ask to confirm email addresses" {...field('emailVerification')}>
        <NativeSelect {...register('emailVerification')}>
          <option value="off">No</option>
          <option value="optional">Yes, but nobody has to</option>
          <option value="required">Yes, before anything can be bought</option>
        </NativeSelect>
      </Field>
      <Checkbox label="Mail about logins from new devices" {...field('newLoginMail')} {...register('newLoginMail')} />
      <Checkbox
        label="Administrators need a second step"
        hint="Without one they can do nothing as administrators until they have set it up, you too."
        {...field('requireTwoFactorForAdmins')}
        {...register('requireTwoFactorForAdmins')}
      />
    </SettingForm>
  )
}
