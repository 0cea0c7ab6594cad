import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

export function TrialsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'trials',
    title: 'Trials',
    schema: settingSections.trials,
    fields: ['claims.trialHours'],
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="Shown before people request a trial. The end of each trial is set when its request is approved."
    >
      <Field label="Hours a trial typically lasts" hint="For example 24-48." {...field('claims.trialHours')}>
        <Input {...register('claims.trialHours')} autoComplete="off" required />
      </Field>
    </SettingForm>
  )
}
