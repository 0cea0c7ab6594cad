import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { settingSections } from '../admin-contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

const addresses = [
  { name: 'apps.android', label: 'Android app' },
  { name: 'apps.ios', label: 'iOS app' },
  { name: 'apps.web', label: 'Web app' },
  { name: 'playerUrl', label: 'Player' },
] as const
const guide = [
  { name: 'setup.appName', label: 'App to install', hint: 'As in “Install the recommended app”.' },
  { name: 'setup.downloaderCode', label: 'Downloader code', hint: 'Empty: the guide sends people to support.' },
  { name: 'setup.providerName', label: 'Provider to select', hint: 'As it stands in the app’s list.' },
  { name: 'setup.demoUsername', label: 'Example username', hint: 'For demonstration only: it opens nothing.' },
  { name: 'setup.demoPassword', label: 'Example password', hint: 'For demonstration only.' },
  {
    name: 'setup.videoUrl',
    label: 'Video tutorial',
    hint: 'Empty: the tutorial that comes with the guide. A path of this site plays in the page, any other address is a link.',
  },
] as const

export function AppsSetting({ stored }: { stored: Stored }) {
  const setting = useSettingForm({
    section: 'apps',
    title: 'Apps, Player and Setup Guide',
    schema: settingSections.apps,
    fields: [...addresses, ...guide].map(({ name }) => name),
    stored,
  })
  const { field, register } = setting.form
  return (
    <SettingForm
      setting={setting}
      hint="Where the apps are, what Open Player opens, and the names the setup guide uses. An empty address hides its link."
    >
      {addresses.map(({ name, label }) => (
        <Field key={name} label={label} optional {...field(name)}>
          <Input {...register(name)} type="url" inputMode="url" autoComplete="off" placeholder="https://" />
        </Field>
      ))}
      {guide.map(({ name, label, hint }) => (
        <Field key={name} label={label} hint={hint} {...field(name)}>
          <Input {...register(name)} autoComplete="off" spellCheck={false} />
        </Field>
      ))}
    </SettingForm>
  )
}
