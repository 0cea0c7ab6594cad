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
      hint="The provider of the chat on public pages. Nothing is loaded from the provider before a visitor agrees."
    >
      {fromEnvironment && (
        <Note>
          Currently active: <b>{names[site.chat.provider]}</b>, from the server configuration (CHAT_PROVIDER). Your
          choice here overrides it.
        </Note>
      )}
      <Field label="Provider" {...field('provider')}>
        <NativeSelect {...register('provider')}>
          {Object.entries(names).map(([value, name]) => (
            <option key={value} value={value}>
              {value === 'off' && fromEnvironment ? 'Use the server configuration' : name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field
        label={provider === 'chatwoot' ? 'Website token' : 'Website ID'}
        optional={provider === 'off'}
        hint="Public: it is part of every page with the chat."
        {...field('websiteId')}
      >
        <Input {...register('websiteId')} autoComplete="off" spellCheck={false} />
      </Field>
      <Field
        label="Address of the widget"
        optional={provider !== 'chatwoot'}
        hint="Leave empty for Crisp. For Chatwoot, enter your server, such as https://chat.example.com."
        {...field('url')}
      >
        <Input {...register('url')} type="url" autoComplete="off" placeholder="https://" />
      </Field>
      <p className="text-sm text-fg-2">
        The secret that verifies customers is set on the server only (CHAT_SECRET). It is never shown or stored here.
      </p>
    </SettingForm>
  )
}
