import { useSuspenseQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Note } from '#web/ui/note.tsx'
import { settingSections } from '../admin-contract.ts'
import { getSite } from '../contract.ts'
import { SettingForm } from './setting-form.tsx'
import { type Stored, useSettingForm } from './use-setting-form.ts'

const names = { off: 'Off', crisp: 'Crisp', chatwoot: 'Chatwoot' }

export function ChatSetting({ stored }: { stored: Stored }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const setting = useSettingForm({
    section: 'chat',
    title: 'Live Chat',
    schema: settingSections.chat,
    fields: ['provider', 'websiteId', 'url'],
    stored,
  })
  const { field, register, watch } = setting.form
  const provider = watch('provider')
  const fromEnvironment = stored.value.provider === 'off' && site.chat.provider !== 'off'
  return (
    <SettingForm
      setting={setting}
      hint="Who runs the chat in the corner of the public pages. Nothing of it is loaded before a visitor agrees."
    >
      {fromEnvironment && (
        <Note>
          Now in force: <b>{names[site.chat.provider]}</b>, from the settings of the server (CHAT_PROVIDER). What you
          choose here takes its place.
        </Note>
      )}
      <Field label="Provider" {...field('provider')}>
        <NativeSelect {...register('provider')}>
          {Object.entries(names).map(([value, name]) => (
            <option key={value} value={value}>
              {value === 'off' && fromEnvironment ? 'As the server says' : name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field
        label={provider === 'chatwoot' ? 'Website token' : 'Website id'}
        optional={provider === 'off'}
        hint="It is public: it stands in every page that has the chat."
        {...field('websiteId')}
      >
        <Input {...register('websiteId')} autoComplete="off" spellCheck={false} />
      </Field>
      <Field
        label="Address of the widget"
        optional={provider !== 'chatwoot'}
        hint="Empty for Crisp’s own; your Chatwoot’s, such as https://chat.example.com."
        {...field('url')}
      >
        <Input {...register('url')} type="url" autoComplete="off" placeholder="https://" />
      </Field>
      <p className="text-sm text-fg-2">
        The key that proves who a customer is stays with the server (CHAT_SECRET): it is never shown or kept here.
      </p>
    </SettingForm>
  )
}
