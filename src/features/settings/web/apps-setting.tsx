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
  { name: 'setup.downloaderCode', label: 'Downloader code', hint: 'If empty, the guide refers people to support.' },
  {
    name: 'setup.providerName',
    label: 'Provider to select',
    hint: 'As shown in the app’s list. If empty, the brand name is used.',
  },
  { name: 'setup.demoUsername', label: 'Example username', hint: 'For demonstration only. It is not a working login.' },
  { name: 'setup.demoPassword', label: 'Example password', hint: 'For demonstration only.' },
  {
    name: 'setup.videoUrl',
    label: 'Video tutorial',
    hint: 'If empty, the built-in tutorial is shown. A path on this site plays in the page; any other address is a link.',
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
      hint="Links to the apps and the player, and the names that the setup guide uses. An app without an address is shown as coming soon. The web app uses the address of the player if it has none."
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
