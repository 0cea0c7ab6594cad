import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { getSetting, type SettingSection } from '../admin-contract.ts'
import { SettingPlaceholder } from './setting-placeholder.tsx'
import { settingForms } from './setting-sections.ts'

/** A section of the settings with its loading and error states. */
export function SettingsSection({ name, label }: { name: SettingSection; label: string }) {
  const { data, error, isFetching, refetch } = useQuery(query(getSetting, { params: { section: name } }))
  const Form = settingForms[name]
  if (data) return <Form stored={data} />
  return <SettingPlaceholder title={label} error={error} pending={isFetching} onRetry={() => void refetch()} />
}
