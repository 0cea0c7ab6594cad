import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import type { LineLogin } from '../contract.ts'
import { type AppKind, appFields, appKinds } from '../login-rules.ts'
import { OwnLineFact } from './own-line-fact.tsx'

interface Props {
  /** The password is null while it is hidden. */
  login: Omit<LineLogin, 'password'> & { password: string | null }
  /** Fetches the hidden password so that it can be copied without being shown. */
  fetchPassword?: () => Promise<string>
  /** The button that shows and hides the password. */
  action?: ReactNode
  /** Further facts. */
  children?: ReactNode
}

/** What to enter on a device, depending on what its app asks for, with copy buttons. */
export function LineLoginFacts({ login, fetchPassword, action, children }: Props) {
  const { data: site } = useSuspenseQuery(query(getSite))
  const kinds = appKinds(login)
  const [chosen, choose] = useState<AppKind>()
  const kind = kinds.find((each) => each === chosen) ?? kinds[0]!
  const { appName } = site.setup
  const labels: Record<AppKind, string> = {
    server: 'Server, username and password',
    provider: `Provider, username and password${appName ? ` (${appName})` : ''}`,
    playlist: 'A playlist address (M3U)',
  }
  const fieldsWith = (password: string | null) =>
    appFields(kind, { ...login, password }, site.setup.providerName || site.brand.name)
  const fields = fieldsWith(login.password)
  const fetchField = async (name: string, fetched: Promise<string>) =>
    fieldsWith(await fetched).find((each) => each.name === name)?.text ?? ''
  const lastSecret = fields.findLast(({ isSecret }) => isSecret)
  return (
    <div className="grid gap-4">
      {kinds.length > 1 && (
        <Field label="Your app asks for">
          <NativeSelect value={kind} onChange={({ target }) => choose(target.value as AppKind)}>
            {kinds.map((each) => (
              <option key={each} value={each}>
                {labels[each]}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
      <dl className="overflow-hidden rounded-md border text-fg *:last:border-b-0">
        {fields.map((field) => (
          <OwnLineFact
            key={field.name}
            name={field.name}
            text={field.text}
            fetchText={fetchPassword && (() => fetchField(field.name, fetchPassword()))}
            action={field === lastSecret ? action : undefined}
          />
        ))}
        {children}
      </dl>
    </div>
  )
}
