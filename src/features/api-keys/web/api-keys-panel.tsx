import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type ApiKey, listApiKeys } from '../admin-contract.ts'
import { ApiKeyItem } from './api-key-item.tsx'

const CreateKeyDialog = lazy(() =>
  import('./create-key-dialog.tsx').then((module) => ({ default: module.CreateKeyDialog })),
)
const RevokeKeyDialog = lazy(() =>
  import('./revoke-key-dialog.tsx').then((module) => ({ default: module.RevokeKeyDialog })),
)
const title = 'API Keys'

/** The API Keys section of the settings. Only owners see its content. */
export function ApiKeysPanel() {
  const mayManage = useMay()('staff.manage')
  // Requests with a key send no change event for its last use, so the list is fetched on every mount.
  const keys = useQuery({ ...query(listApiKeys), enabled: mayManage, refetchOnMount: 'always' })
  const [opened, open] = useOpenDialog<ApiKey | null>('api-keys')
  if (!mayManage)
    return (
      <Card title={title}>
        <p>Only owners can see and create API keys.</p>
      </Card>
    )
  const { data, error } = keys
  return (
    <Card
      title={title}
      titleId="api-keys"
      aside={
        <Button variant="ink" size="sm" onClick={({ currentTarget }) => open(null, currentTarget)}>
          <Plus size={16} /> Create API Key
        </Button>
      }
    >
      <p className="mb-5 text-fg-2">
        Other programs call the API with these keys. A key acts for its creator, within its scopes. The audit log lists
        its changes under its name.{' '}
        <a href="/api/docs" target="_blank" rel="noreferrer" className="link">
          API documentation
        </a>
      </p>
      {data ? (
        data.length > 0 ? (
          <ul className="grid gap-5" aria-label={title}>
            {data.map((apiKey) => (
              <ApiKeyItem key={apiKey.id} apiKey={apiKey} onRevoke={(button) => open(apiKey, button)} />
            ))}
          </ul>
        ) : (
          <p>There are no API keys yet.</p>
        )
      ) : error ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={keys.isFetching}
          onRetry={() => void keys.refetch()}
        />
      ) : (
        <div role="status">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-60" />
        </div>
      )}
      <Suspense>
        {opened &&
          (opened.subject ? (
            <RevokeKeyDialog key={opened.openCount} apiKey={opened.subject} returnTo={opened.returnTo} />
          ) : (
            <CreateKeyDialog key={opened.openCount} returnTo={opened.returnTo} />
          ))}
      </Suspense>
    </Card>
  )
}
