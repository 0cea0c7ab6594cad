import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { getSetting } from '../admin-contract.ts'
import type { FormSection } from './setting-sections.ts'

const lines = ['a', 'b', 'c', 'd']

/** A section of the settings with its loading and error states. */
export function SettingsSection({ section: { value, label, Form } }: { section: FormSection }) {
  const setting = useQuery(query(getSetting, { params: { section: value } }))
  if (setting.data) return <Form stored={setting.data} />
  return (
    <Card title={label}>
      {setting.error ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(setting.error)}
          pending={setting.isFetching}
          onRetry={() => void setting.refetch()}
        />
      ) : (
        <div className="grid max-w-160 gap-6" aria-busy="true">
          <span className="sr-only">Loading</span>
          {lines.map((line) => (
            <Skeleton key={line} className="h-11 w-full" />
          ))}
        </div>
      )}
    </Card>
  )
}
