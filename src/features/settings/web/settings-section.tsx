import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { getSetting } from '../admin-contract.ts'
import { SettingPlaceholder } from './setting-placeholder.tsx'
import type { FormSection } from './setting-sections.ts'

/** A section of the settings with its loading and error states. */
export function SettingsSection({ section: { value, label, Form } }: { section: FormSection }) {
  const { data, error, isFetching, refetch } = useQuery(query(getSetting, { params: { section: value } }))
  if (data) return <Form stored={data} />
  return <SettingPlaceholder title={label} error={error} pending={isFetching} onRetry={() => void refetch()} />
}
